package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// One test for each order of each row of the race table (ownership 4.5) that this core has.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class RaceTableTest extends CoreTest {
    // release vs close

    @Test
    void releaseVsClose_foreignReleaseFirst_closeWaitsForItAndKeepsTheOrder() {
        var inRelease = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var slow = ResourceType.<String>of("slow", name -> {
            inRelease.countDown();
            await(let);
            trail.add("release " + name);
        });
        var scope = Scope.open("s");
        scope.own(thing, "older");
        var handle = scope.own(slow, "newer");
        var releaser = elsewhere(() -> {
            handle.close();
            return "";
        });
        await(inRelease);
        var owner = Thread.currentThread();
        var opener = elsewhere(() -> {
            awaitParked(owner);
            assertThat(trail).isEmpty();
            let.countDown();
            return "";
        });
        scope.close();
        result(opener);
        result(releaser);
        assertThat(trail).containsExactly("release newer", "release older");
    }

    @Test
    void releaseVsClose_closeFirst_secondReleaserWaitsAndDoesNothing() {
        var inRelease = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var releases = new AtomicInteger();
        var slow = ResourceType.<String>of("slow", _ -> {
            releases.incrementAndGet();
            inRelease.countDown();
            await(let);
        });
        var handle = new AtomicReference<Owned<String>>();
        var closer = elsewhere(() -> {
            try (var scope = Scope.open("s")) {
                handle.set(scope.own(slow, "x"));
            }
            return "";
        });
        await(inRelease);
        var second = elsewhere(() -> {
            handle.get().close();
            return handle.get().state();
        });
        let.countDown();
        assertThat(result(second)).isEqualTo(Owned.State.RELEASED);
        result(closer);
        assertThat(releases).hasValue(1);
    }

    @Test
    void releaseInOwnRelease_isRefused() {
        var handle = new AtomicReference<Owned<String>>();
        var self = ResourceType.<String>of("self", _ -> handle.get().close());
        var scope = Scope.open("s");
        handle.set(scope.own(self, "x"));
        assertThatThrownBy(scope::close).hasMessageContaining("inside its own release");
    }

    // transfer vs close of the destination

    @Test
    void transferVsClose_destinationClosedFirst_sourceStillOwns() {
        var destination = Scope.open("destination");
        destination.close();
        try (var source = Scope.open("source")) {
            var handle = source.own(thing, "x");
            assertThatThrownBy(() -> handle.moveTo(destination)).isInstanceOf(AdmissionClosed.class);
            assertThat(handle.get()).isEqualTo("x");
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void transferVsClose_reservedFirst_closingDestinationWaitsForItAndReleases() throws Exception {
        var ready = new AtomicReference<Scope>();
        var let = new CountDownLatch(1);
        var destinationOpen = new CountDownLatch(1);
        var destinationThread = new AtomicReference<Thread>();
        var owner = elsewhere(() -> {
            destinationThread.set(Thread.currentThread());
            try (var destination = Scope.open("destination")) {
                ready.set(destination);
                destinationOpen.countDown();
                await(let);
            }
            trail.add("destination closed");
            return "";
        });
        await(destinationOpen);
        var late = ResourceType.<String>of("late", name -> trail.add("release " + name));
        try (var source = Scope.open("source")) {
            var handle = source.own(late, "x");
            Gates.once("move/late:reserved", () -> {
                let.countDown();
                awaitParked(destinationThread.get());
                assertThat(trail).isEmpty();
            });
            var moved = handle.moveTo(ready.get());
            result(owner);
            assertThat(moved.state()).isEqualTo(Owned.State.RELEASED);
            assertThat(handle.state()).isEqualTo(Owned.State.MOVED);
        }
        assertThat(trail).containsExactly("release x", "destination closed");
    }

    @Test
    void transferVsClose_movedFirst_destinationReleases() {
        var destination = Scope.open("destination");
        var moved = result(elsewhere(() -> {
            try (var source = Scope.open("source")) {
                return source.own(thing, "x").moveTo(destination);
            }
        }));
        assertThat(trail).isEmpty();
        assertThat(moved.get()).isEqualTo("x");
        destination.close();
        assertThat(trail).containsExactly("release x");
    }

    // transfer vs close, release, transfer of the source

    @Test
    void transferVsRelease_releaseFirst_moverGetsStaleHandleAndDestinationNothing() {
        try (var destination = Scope.open("destination")) {
            result(elsewhere(() -> {
                try (var source = Scope.open("source")) {
                    var handle = source.own(thing, "x");
                    Gates.once("move/thing:reserved", handle::close);
                    assertThatThrownBy(() -> handle.moveTo(destination))
                            .isInstanceOf(StaleHandle.class)
                            .hasMessageContaining("move of thing: the handle is RELEASED");
                }
                return "";
            }));
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void transferVsTransfer_secondMoverGetsStaleHandle() {
        try (var one = Supervisor.open("one");
                var two = Supervisor.open("two");
                var source = Scope.open("source")) {
            var handle = source.own(thing, "x");
            var first = handle.moveTo(one);
            assertThatThrownBy(() -> handle.moveTo(two)).isInstanceOf(StaleHandle.class);
            assertThat(first.get()).isEqualTo("x");
            assertThat(two.live()).isZero();
        }
        assertThat(trail).containsExactly("release x");
    }

    // cancel vs success

    @Test
    void cancelVsSuccess_successFirst_isPlainSuccess() {
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> "value");
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", false));
            task.cancel(request());
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", false));
        }
    }

    @Test
    void cancelVsSuccess_cancelFirst_valueIsKeptAndMarkedLate() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var let = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                in.countDown();
                await(let);
                return "value";
            });
            await(in);
            task.cancel(request());
            let.countDown();
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", true));
        }
    }

    @Test
    void cancelVsSuccess_resultHandleGoesToTheForker() throws Exception {
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> Scope.current().own(thing, "result"));
            assertThat(task.get().get()).isEqualTo("result");
            assertThat(trail).isEmpty();
        }
        assertThat(trail).containsExactly("release result");
    }

    // cancel vs publish

    @Test
    void cancelVsPublish_cancelDuringPublish_isPendedAndThePublishStands() {
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> {
                var staged = Scope.current().stage(thing, () -> "x");
                String seen = staged.publish(value -> {
                    Scope.current().canceller().cancel(request());
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    return "published " + value;
                });
                assertThat(Thread.interrupted()).isTrue();
                assertThat(staged.state()).isEqualTo(Staged.State.PUBLISHED);
                return seen;
            });
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("published x", true));
        }
        assertThat(trail).isEmpty();
    }

    @Test
    void cancelVsPublish_cancelFirst_isDiscarded() {
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> {
                Scope.current().stage(thing, () -> "x");
                Scope.current().canceller().cancel(request());
                Scope.current().checkpoint();
                return "";
            });
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        }
        assertThat(trail).containsExactly("release x");
    }

    // fork vs cancel

    @Test
    void forkVsCancel_cancelFirst_bodyDoesNotRunAndItsHandleIsReleased() {
        try (var scope = Scope.open("s")) {
            var handle = scope.own(thing, "arg");
            scope.canceller().cancel(request());
            var task = scope.fork("t", handle, arg -> {
                trail.add("ran");
                return arg.get();
            });
            Thread.interrupted();
            assertThat(awaitDone(task)).isInstanceOf(Outcome.CancelledOut.class);
            assertThat(trail).containsExactly("release arg");
        }
    }

    @Test
    void forkVsCancel_forkFirst_cancelReachesTheTask() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                in.countDown();
                new CountDownLatch(1).await();
                return "";
            });
            await(in);
            scope.canceller().cancel(request());
            assertThat(awaitDone(task))
                    .isInstanceOfSatisfying(
                            Outcome.CancelledOut.class,
                            out -> assertThat(out.reason().kind()).isEqualTo(Reason.Kind.PARENT));
        }
    }

    /// Joins from a thread whose scope is not cancelled.
    private static <T> Outcome<T> awaitDone(Task<T> task) {
        return result(elsewhere(task::join));
    }

    // close vs close

    @Test
    void closeVsClose_manyClosersOfASupervisor_shareOneReport() {
        var supervisor = Supervisor.open("shared");
        var let = new CountDownLatch(1);
        supervisor.fork("t", () -> {
            await(let);
            return "";
        });
        var closers = new ArrayList<java.util.concurrent.FutureTask<CloseReport>>();
        for (int i = 0; i < 50; i++) {
            closers.add(elsewhere(() -> supervisor.close(Deadline.none())));
        }
        let.countDown();
        assertThat(closers.stream().map(CoreTest::result).distinct()).hasSize(1);
    }

    // interrupt vs mask

    @Test
    void interruptVsMask_maskFirst_cancelIsPendedUntilTheMaskEnds() {
        try (var scope = Scope.open("s")) {
            var masked = new CountDownLatch(1);
            var let = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                Scope.current().masked(() -> {
                    masked.countDown();
                    await(let);
                    trail.add("interrupted inside: " + Thread.currentThread().isInterrupted());
                    Scope.current().checkpoint();
                    return "";
                });
                trail.add("interrupted after: " + Thread.currentThread().isInterrupted());
                return "";
            });
            await(masked);
            task.cancel(request());
            let.countDown();
            task.join();
        }
        assertThat(trail).containsExactly("interrupted inside: false", "interrupted after: true");
    }

    @Test
    void interruptVsMask_interruptFirst_isCollectedAtTheMaskAndGivenBackAfterIt() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                in.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                    Thread.onSpinWait();
                }
                Scope.current()
                        .masked(() ->
                                trail.add("inside: " + Thread.currentThread().isInterrupted()));
                trail.add("after: " + Thread.interrupted());
                return "";
            });
            await(in);
            task.cancel(request());
            task.join();
        }
        assertThat(trail).containsExactly("inside: false", "after: true");
    }

    @Test
    void interruptVsMask_releaseOfACancelledTask_seesNoInterrupt() {
        var look = ResourceType.<String>of(
                "look", _ -> trail.add("in release: " + Thread.currentThread().isInterrupted()));
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                Scope.current().own(look, "x");
                in.countDown();
                new CountDownLatch(1).await();
                return "";
            });
            await(in);
            task.cancel(request());
            task.join();
        }
        assertThat(trail).containsExactly("in release: false");
    }

    // hook vs release

    @Test
    void hookVsRelease_hookRunning_releaseWaitsForIt() {
        var inHook = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var hooked = ResourceType.<String>of("hooked", _ -> trail.add("release"))
                .onCancel(_ -> {
                    inHook.countDown();
                    await(let);
                    trail.add("hook");
                });
        try (var scope = Scope.open("s")) {
            var handle = scope.own(hooked, "x");
            var canceller = elsewhere(() -> scope.canceller().cancel(request()));
            await(inHook);
            var owner = Thread.currentThread();
            var _ = elsewhere(() -> {
                awaitParked(owner);
                let.countDown();
                return "";
            });
            handle.close();
            result(canceller);
        }
        assertThat(trail).containsExactly("hook", "release");
    }

    @Test
    void hookVsRelease_releaseFirst_hookNeverRuns() {
        var hooked =
                ResourceType.<String>of("hooked", _ -> trail.add("release")).onCancel(_ -> trail.add("hook"));
        try (var scope = Scope.open("s")) {
            scope.own(hooked, "x").close();
            scope.canceller().cancel(request());
        }
        assertThat(trail).containsExactly("release");
    }

    @Test
    void hookVsRegistration_cancelFirst_hookRunsAtOnce() {
        var hooked = ResourceType.<String>of("hooked", _ -> {}).onCancel(_ -> trail.add("hook"));
        try (var scope = Scope.open("s")) {
            scope.canceller().cancel(request());
            scope.own(hooked, "x");
            assertThat(trail).containsExactly("hook");
        }
    }
}
