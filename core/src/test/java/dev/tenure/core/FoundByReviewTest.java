package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What reviewers, the model and the sweeps found in this module, one test each.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class FoundByReviewTest extends CoreTest {
    @Test
    void finalizerThatClosesASibling_doesNotOpenClosedScopesAgain() {
        var scope = Scope.open("s");
        var sibling = scope.own(thing, "sibling");
        scope.own(ResourceType.<String>of("closes a sibling", _ -> sibling.close()), "x");
        scope.close();
        var closed = Scope.open("closed");
        closed.close();
        result(elsewhere(() -> {
            try (var source = Scope.open("source")) {
                var handle = source.own(thing, "y");
                assertThatThrownBy(() -> handle.moveTo(closed)).isInstanceOf(AdmissionClosed.class);
                assertThatThrownBy(() -> handle.moveTo(scope)).isInstanceOf(AdmissionClosed.class);
            }
            return "";
        }));
        assertThat(trail).containsExactly("release sibling", "release y");
    }

    @Test
    void overdueClose_whoseParentIsCancelledAtOnce_releasesAllTheSame() {
        for (int round = 0; round < 50; round++) {
            trail.clear();
            var let = new CountDownLatch(1);
            var in = new CountDownLatch(1);
            var parent = Scope.open("parent");
            var scope = Scope.open("s");
            scope.own(thing, "x");
            scope.fork(
                    "stubborn",
                    () -> Scope.shielded(() -> {
                        in.countDown();
                        await(let);
                        return "";
                    }));
            await(in);
            assertThat(scope.close(Deadline.in(Duration.ofMillis(1))).status()).isEqualTo(CloseReport.Status.OVERDUE);
            parent.canceller().cancel(request());
            var opener = Thread.ofPlatform().start(let::countDown);
            parent.close();
            joined(opener);
            assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
            assertThat(trail).containsExactly("release x");
        }
    }

    /// Each place at which the thread that goes on with an overdue close may fail before it has begun.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "task/tenure-close of s:before",
                "carrier",
                "fork/tenure-close of s:before",
                "start/tenure-close of s:before",
                "fork/tenure-close of s:after"
            })
    void overdueClose_whoseCloserFailsBeforeItBegins_releasesAllTheSame(String place) {
        var let = new CountDownLatch(1);
        var in = new CountDownLatch(1);
        var told = new CopyOnWriteArrayList<Throwable>();
        var carrierFails = new AtomicBoolean();
        Runnable fails = () -> {
            let.countDown();
            throw new AssertionError("injected");
        };
        ContextCarrier carrier = () -> () -> {
            if (carrierFails.get()) {
                fails.run();
            }
            return () -> {};
        };
        var options = Supervisor.Options.DEFAULT.carrying(carrier).with(new Observer() {
            @Override
            public void failed(String what, Throwable failure) {
                told.add(failure);
            }
        });
        var parent = Scope.open("parent", options);
        var scope = Scope.open("s");
        scope.own(thing, "x");
        scope.fork(
                "stubborn",
                () -> Scope.shielded(() -> {
                    in.countDown();
                    await(let);
                    return "";
                }));
        await(in);
        carrierFails.set(place.equals("carrier"));
        Gates.once(place, fails);
        assertThat(scope.close(Deadline.in(Duration.ofMillis(1))).status()).isEqualTo(CloseReport.Status.OVERDUE);
        try {
            parent.close();
        } catch (CloseFailure failure) {
            told.add(failure.getSuppressed().length == 0 ? failure.getCause() : failure);
        }
        assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
        assertThat(trail).containsExactly("release x");
        assertThat(told).singleElement().satisfies(one -> assertThat(one).hasMessage("injected"));
    }

    @Test
    void overdueCloseOfAnOutermostScope_whoseThreadIsRefused_isFinishedByItsCaller() {
        var told = new CopyOnWriteArrayList<Throwable>();
        var let = new CountDownLatch(1);
        var in = new CountDownLatch(1);
        var options = Supervisor.Options.DEFAULT
                .with(new NoPlatformThreads(let))
                .with(new Observer() {
                    @Override
                    public void failed(String what, Throwable failure) {
                        told.add(failure);
                    }
                });
        var scope = Scope.open("s", options);
        scope.own(thing, "x");
        scope.fork(
                "stubborn",
                () -> Scope.shielded(() -> {
                    in.countDown();
                    await(let);
                    return "";
                }));
        await(in);
        assertThat(scope.close(Deadline.in(Duration.ZERO)).status()).isEqualTo(CloseReport.Status.OVERDUE);
        assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
        assertThat(trail).containsExactly("release x");
        assertThat(told).singleElement().satisfies(one -> assertThat(one).hasMessage("no thread"));
    }

    /// Refuses, and lets go who waits.
    private record NoPlatformThreads(CountDownLatch let) implements Threads {
        @Override
        public Thread startVirtual(String name, Runnable body) {
            return Threads.system().startVirtual(name, body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            let.countDown();
            throw new IllegalStateException("no thread");
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            throw new IllegalStateException("no thread");
        }
    }

    @Test
    void overdueCloseInsideAFinalizer_isFinishedThere() {
        var let = new CountDownLatch(1);
        var options = Supervisor.Options.DEFAULT.with(new Observer() {
            @Override
            public void overdue(CloseReport report) {
                let.countDown();
            }
        });
        try (var parent = Scope.open("parent", options)) {
            parent.own(
                    ResourceType.<String>of("opens a scope", _ -> {
                        var inner = Scope.open("inner");
                        inner.own(thing, "x");
                        inner.own(
                                ResourceType.<String>of("slow", _ -> await(let)).strongMask(), "y");
                        assertThat(inner.close(Deadline.in(Duration.ofMillis(2)))
                                        .status())
                                .isEqualTo(CloseReport.Status.OVERDUE);
                        assertThat(inner.phase()).isEqualTo(Scope.Phase.CLOSED);
                    }),
                    "z");
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void permits_closeAgainstTimeouts_grantNothingMore() throws Exception {
        for (int round = 0; round < 20; round++) {
            var permits = Permits.fair("p", 1, 1_000);
            try (var holder = Scope.open("holder");
                    var waiters = Supervisor.open("waiters")) {
                permits.acquire(holder, Deadline.none());
                var soon = Deadline.in(Duration.ofMillis(5));
                var tasks = new ArrayList<Task<String>>();
                for (int i = 0; i < 100; i++) {
                    tasks.add(waiters.fork(
                            "w", () -> permits.acquire(Scope.current(), soon).toString()));
                }
                while (!soon.passed()) {
                    Thread.onSpinWait();
                }
                permits.close();
                for (var task : tasks) {
                    assertThat(task.join()).isInstanceOf(Outcome.Failed.class);
                }
            }
            assertThat(permits.available()).isOne();
        }
    }

    @Test
    void closeWithABudgetInItsOwnFinalizer_isRefused() {
        var scope = Scope.open("s");
        scope.own(ResourceType.<String>of("self", _ -> scope.close(Deadline.in(Duration.ofSeconds(1)))), "x");
        assertThatThrownBy(scope::close)
                .isInstanceOf(CloseFailure.class)
                .hasRootCauseMessage("scope 's' is closed from inside its own close, by a release or a nested step: "
                        + "return instead");
    }

    @Test
    void foreignCloseWhileReleasing_returnsWhenItIsClosed() {
        var in = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var opened = new AtomicReference<Scope>();
        var slow = ResourceType.<String>of("slow", _ -> {
            in.countDown();
            await(let);
        });
        var owner = elsewhere(() -> {
            var scope = Scope.open("s");
            opened.set(scope);
            scope.own(slow, "x");
            scope.close();
            return "";
        });
        await(in);
        var foreign = Thread.ofPlatform().start(() -> opened.get().close());
        awaitParked(foreign);
        let.countDown();
        joined(foreign);
        result(owner);
    }

    @Test
    void supervisorClosedByAGrandchild_isRefused() {
        try (var supervisor = Supervisor.open("s")) {
            var task = supervisor.fork(
                    "child",
                    () -> Scope.current()
                            .fork("grandchild", () -> supervisor.close(Deadline.none()))
                            .join());
            assertThat(task.join())
                    .isInstanceOfSatisfying(
                            Outcome.Success.class,
                            success -> assertThat(success.value())
                                    .isInstanceOfSatisfying(
                                            Outcome.Failed.class,
                                            failed -> assertThat(failed.primary())
                                                    .isInstanceOf(IllegalStateException.class)));
        }
    }

    @Test
    void supervisorClosedByARelease_isRefused() {
        var supervisor = Supervisor.open("s");
        supervisor.own(ResourceType.<String>of("self", _ -> supervisor.close()), "x");
        assertThat(supervisor.close(Deadline.none()).failures())
                .hasSize(1)
                .first()
                .satisfies(failure -> assertThat(failure.failure())
                        .hasMessageContaining("from inside the release of a value it owns"));
    }

    @Test
    void failedClose_staysFailedForTheNextCaller() {
        var scope = Scope.open("s");
        scope.own(
                ResourceType.<String>of("failing", _ -> {
                    throw new IllegalStateException("no");
                }),
                "x");
        assertThatThrownBy(scope::close).isInstanceOf(CloseFailure.class);
        assertThat(scope.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.FAILED);
    }

    @Test
    void scopeClosedByAnAcquisition_releasesWhatItProduced() {
        var scope = Scope.open("s");
        assertThatThrownBy(() -> scope.acquire(thing, () -> {
                    scope.close();
                    return "x";
                }))
                .isInstanceOf(AdmissionClosed.class);
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void publishedAfterTheDiscard_isTold() {
        var scope = Scope.open("s");
        var staged = scope.stage(thing, () -> "x");
        scope.close();
        assertThatThrownBy(staged::published).isInstanceOf(StaleHandle.class).hasMessageContaining("discarded before");
        assertThat(staged.state()).isEqualTo(Staged.State.DISCARDED);
    }

    @Test
    void cancelOfTheParentWhileAnInnerRingIsForgotten_stillInterrupts() {
        var supervisor = Supervisor.open("s");
        var task = supervisor.fork("t", () -> {
            var inner = Scope.open("inner");
            Gates.once("close/inner:forgot", () -> Task.current().orElseThrow().cancel(request()));
            Scope.shielded(() -> {
                inner.canceller().cancel(request());
                inner.close();
                return "";
            });
            new CountDownLatch(1).await();
            return "never";
        });
        assertThat(task.join(Deadline.in(Duration.ofSeconds(10)))).isInstanceOf(Outcome.CancelledOut.class);
        supervisor.close();
    }

    @Test
    void faultsInTheCloseOfAShare_areReportedByIt() {
        var shared = Shared.of(thing, "x");
        Gates.once("close/thing:before", () -> {
            throw new IllegalStateException("injected");
        });
        assertThatThrownBy(shared::close).isInstanceOf(CloseFailure.class).hasRootCauseMessage("injected");
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void manyHooksChildrenAndFailures_costInProportion() {
        var hooked = ResourceType.<String>of("hooked", _ -> {}).onCancel(_ -> {});
        var limit = Deadline.in(Duration.ofSeconds(20));
        try (var scope = Scope.open("s")) {
            for (int i = 0; i < 50_000; i++) {
                scope.own(hooked, "x");
            }
            assertThat(limit.passed()).as("50,000 hooks within 20 s").isFalse();
        }
    }

    @Test
    void liftedDeadline_isNoneAgain_andItsAlarmIsGone() {
        var soon = Deadline.in(Duration.ofMinutes(1));
        try (var scope = Scope.open("s", soon)) {
            assertThat(scope.deadline()).isSameAs(soon);
            scope.liftDeadline();
            assertThat(scope.deadline().isNone()).isTrue();
            assertThat(Timers.system().pending()).isZero();
            try (var inner = Scope.open("inner")) {
                assertThat(inner.deadline().isNone()).isTrue();
            }
        }
    }

    private static final Observer DEAF = new Observer() {
        @Override
        public void failed(String owner, Throwable failure) {
            throw new AssertionError("deaf");
        }

        @Override
        public void overdue(CloseReport report) {
            throw new AssertionError("deaf");
        }
    };

    @Test
    void observerThatThrows_isIsolatedAndCounted() {
        long before = Observer.isolatedFailures();
        var supervisor = Supervisor.open("s", Supervisor.Options.DEFAULT.with(DEAF));
        var task = supervisor.fork("fails", () -> {
            throw new IllegalStateException("boom");
        });
        assertThat(task.join()).isInstanceOf(Outcome.Failed.class);
        supervisor.close();
        assertThat(Observer.isolatedFailures() - before).isEqualTo(1);
    }

    @Test
    void observerThatThrowsWhenAScopeIsOverdue_doesNotKeepItsValues() {
        var let = new CountDownLatch(1);
        var scope = Scope.open("s", Supervisor.Options.DEFAULT.with(DEAF));
        scope.own(thing, "x");
        scope.own(ResourceType.<String>of("slow", _ -> await(let)).strongMask(), "y");
        assertThat(scope.close(Deadline.in(Duration.ofMillis(1))).status()).isEqualTo(CloseReport.Status.OVERDUE);
        let.countDown();
        scope.close();
        assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void closeAfterAnOverdueOne_waitsForTheTruth_andLateFailuresAreTold() {
        var let = new CountDownLatch(1);
        var in = new CountDownLatch(1);
        var late = new ArrayList<String>();
        var hear = new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                synchronized (late) {
                    late.add(owner + ": " + failure.getMessage());
                }
            }
        };
        var supervisor = Supervisor.open("s", Supervisor.Options.DEFAULT.with(hear));
        var handle = supervisor.own(
                ResourceType.<String>of("late", _ -> {
                    throw new IllegalStateException("too late");
                }),
                "x");
        supervisor.fork(
                "stubborn",
                () -> Scope.shielded(() -> {
                    in.countDown();
                    await(let);
                    return "";
                }));
        await(in);
        var overdue = supervisor.close(Deadline.in(Duration.ofMillis(1)));
        assertThat(overdue.status()).isEqualTo(CloseReport.Status.OVERDUE);
        var opener = Thread.ofPlatform().start(let::countDown);
        supervisor.close();
        joined(opener);
        assertThat(supervisor.live()).isZero();
        assertThat(handle.state()).isEqualTo(Owned.State.FAILED);
        assertThat(late).containsExactly("s, late: too late");
        assertThat(supervisor.close(Deadline.none())).isEqualTo(overdue);
    }

    @Test
    void scopeClosedAgainRightAfterAnOverdueClose_waitsForTheTruth() {
        for (int round = 0; round < 200; round++) {
            var let = new CountDownLatch(1);
            var opener = Thread.ofPlatform().unstarted(let::countDown);
            try (var scope = Scope.open("s")) {
                scope.own(thing, "x");
                scope.own(ResourceType.<String>of("slow", _ -> await(let)).strongMask(), "y");
                assertThat(scope.close(Deadline.in(Duration.ofNanos(1))).status())
                        .isEqualTo(CloseReport.Status.OVERDUE);
                opener.start();
            }
            joined(opener);
        }
        assertThat(trail).hasSize(200);
    }

    @Test
    void staged_probeThrowsBeforeTheDiscard_theValueEndsAndTheProbesFailureIsKept() {
        Gates.once("discard/thing:before", () -> {
            throw new IllegalStateException("injected");
        });
        var scope = Scope.open("s");
        var staged = scope.stage(thing, () -> "x");
        assertThatThrownBy(scope::close).isInstanceOf(CloseFailure.class).hasRootCauseMessage("injected");
        assertThat(staged.state()).isEqualTo(Staged.State.DISCARDED);
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void staged_probeAndDiscardFail_theProbesFailureIsFirst() {
        var bad = ResourceType.<String>of("bad", _ -> {
            throw new java.io.IOException("cleanup");
        });
        Gates.once("discard/bad:before", () -> {
            throw new IllegalStateException("injected");
        });
        var scope = Scope.open("s");
        scope.stage(bad, () -> "x");
        assertThatThrownBy(scope::close)
                .isInstanceOf(CloseFailure.class)
                .rootCause()
                .hasMessage("injected")
                .satisfies(first -> assertThat(first.getSuppressed())
                        .singleElement()
                        .satisfies(second -> assertThat(second).hasMessage("cleanup")));
    }
}
