package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Races, limits, detaching and nagging: nobody is left behind and nothing that was produced is lost.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class HelpersTest extends CoreTest {
    private static Callable<String> failing(String message) {
        return () -> {
            throw new IllegalStateException(message);
        };
    }

    private static String forEver() throws InterruptedException {
        new CountDownLatch(1).await();
        return "never";
    }

    // race

    @Test
    void race_firstSuccessWins_losersAreCancelledAndJoined() throws Exception {
        try (var scope = Scope.open("s")) {
            Callable<String> loser = () -> {
                Scope.current().own(thing, "loser's");
                return forEver();
            };
            var race = scope.race("r", List.of(loser, () -> "winner"));
            assertThat(race).isEqualTo(new Scope.Race<>("winner", List.of()));
            assertThat(scope.dump()).doesNotContain("task");
        }
        assertThat(trail).containsAnyOf("release loser's").hasSizeLessThanOrEqualTo(1);
    }

    @Test
    void race_aLosersLateHandle_isOwnedByTheScope() throws Exception {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            Callable<Owned<String>> late = () -> {
                var mine = Scope.current().own(thing, "late");
                in.countDown();
                while (Scope.current().cancelled().isEmpty()) {
                    Thread.onSpinWait();
                }
                return mine;
            };
            Callable<Owned<String>> first = () -> {
                await(in);
                return Scope.current().own(thing, "first");
            };
            var race = scope.race("r", List.of(late, first));
            assertThat(race.winner().get()).isEqualTo("first");
            assertThat(race.late()).hasSize(1);
            assertThat(race.late().getFirst().get()).isEqualTo("late");
            assertThat(trail).isEmpty();
        }
        assertThat(trail).containsExactlyInAnyOrder("release first", "release late");
    }

    @Test
    void race_aFailureCancelsNobody_andAllFailuresAreTold() throws Exception {
        try (var scope = Scope.open("s")) {
            var sibling = scope.fork("sibling", HelpersTest::forEver);
            var failed = new CountDownLatch(1);
            Callable<String> fails = () -> {
                failed.countDown();
                return failing("one").call();
            };
            Callable<String> wins = () -> {
                await(failed);
                return "winner";
            };
            assertThat(scope.race("r", List.of(fails, wins)).winner()).isEqualTo("winner");
            assertThatThrownBy(() -> {
                        var _ = scope.race("none", List.of(failing("one"), failing("two")));
                    })
                    .isInstanceOf(ExecutionException.class)
                    .hasMessage("race 'none': all 2 failed")
                    .satisfies(thrown -> {
                        assertThat(thrown.getCause()).hasMessage("one");
                        assertThat(thrown.getCause().getSuppressed()[0]).hasMessage("two");
                    });
            assertThat(sibling.isDone()).isFalse();
        }
    }

    @Test
    void race_cancelledWhileWaiting_joinsAllAndThrows() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(2);
            Callable<String> stuck = () -> {
                in.countDown();
                return forEver();
            };
            var canceller = elsewhere(() -> {
                await(in);
                return scope.canceller().cancel(request());
            });
            assertThatThrownBy(() -> {
                        var _ = scope.race("r", List.of(stuck, stuck));
                    })
                    .isInstanceOf(Cancelled.class);
            result(canceller);
            assertThat(scope.dump()).doesNotContain("task");
        }
    }

    @Test
    void race_aForkAndThenAJoinFail_theForksFailureIsFirst_andAllAreTold() {
        var in = new CountDownLatch(1);
        try (var scope = Scope.open("s")) {
            Callable<String> fails = () -> {
                in.countDown();
                return failing("body").call();
            };
            Gates.once(
                    "fork/r:after",
                    () -> Gates.once("fork/r:before", () -> {
                        await(in);
                        Gates.once("join/r:before", () -> {
                            throw new IllegalStateException("join");
                        });
                        throw new IllegalStateException("fork");
                    }));
            assertThatThrownBy(() -> {
                        var _ = scope.race("r", List.of(fails, fails));
                    })
                    .hasMessage("fork")
                    .satisfies(first -> assertThat(first.getSuppressed())
                            .extracting(Throwable::getMessage)
                            .containsExactly("join", "body"));
            assertThat(scope.dump()).doesNotContain("task");
        } catch (CloseFailure told) {
            assertThat(told).hasRootCauseMessage("body"); // nobody saw it through the task
        }
    }

    @Test
    void race_withoutBodies_isRefused() {
        try (var scope = Scope.open("s")) {
            assertThatThrownBy(() -> {
                        var _ = scope.race("r", List.of());
                    })
                    .hasMessage("race 'r': bodies: 0 (expected: >= 1)");
        }
    }

    // call with a limit

    /// A clock that stands until it is told that an hour has passed.
    private static final class Hour implements TimeSource {
        private volatile long nanos;

        void pass() {
            nanos = Duration.ofHours(1).toNanos();
        }

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }
    }

    @Test
    void call_inTime_returnsTheValue() throws Exception {
        try (var scope = Scope.open("s")) {
            assertThat(scope.call("c", Deadline.in(Duration.ofMinutes(1)), () -> "value"))
                    .isEqualTo("value");
        }
    }

    @Test
    void call_limitPasses_bodyIsCancelledAndJoined() {
        var ended = new CountDownLatch(1);
        var clock = new Hour();
        try (var scope = Scope.open("s")) {
            assertThatThrownBy(() -> {
                        var _ = scope.call("c", Deadline.in(Duration.ofMinutes(5), clock), () -> {
                            clock.pass(); // once the body has begun
                            try {
                                return forEver();
                            } finally {
                                ended.countDown();
                            }
                        });
                    })
                    .isInstanceOfSatisfying(
                            Cancelled.class,
                            cancelled -> assertThat(cancelled.reason().kind()).isEqualTo(Reason.Kind.DEADLINE));
            assertThat(ended.getCount()).isZero();
            assertThat(scope.cancelled()).isEmpty();
        }
    }

    @Test
    void call_limitPasses_aLateHandleIsReturned() throws Exception {
        var clock = new Hour();
        try (var scope = Scope.open("s")) {
            var handle = scope.call("c", Deadline.in(Duration.ofMinutes(5), clock), () -> {
                var mine = Scope.current().own(thing, "late");
                clock.pass(); // once the body has begun
                while (Scope.current().cancelled().isEmpty()) {
                    Thread.onSpinWait();
                }
                return mine;
            });
            assertThat(handle.get()).isEqualTo("late");
        }
    }

    @Test
    void call_fails_isTold_andTheScopeGoesOn() {
        try (var scope = Scope.open("s")) {
            assertThatThrownBy(() -> {
                        var _ = scope.call("c", Deadline.none(), failing("no"));
                    })
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("no");
        }
    }

    // join with a deadline

    @Test
    void join_deadlinePasses_isPendingAndTheTaskGoesOn() {
        try (var scope = Scope.open("s")) {
            var let = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                await(let);
                return "value";
            });
            assertThat(task.join(Deadline.in(Duration.ofMillis(2)))).isInstanceOf(Outcome.Pending.class);
            let.countDown();
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", false));
        }
    }

    // detach

    @Test
    void detachVsEnd_detachFirst_theSupervisorJoinsTheTask() {
        var let = new CountDownLatch(1);
        var events = new ArrayList<String>();
        var observed = Supervisor.Options.DEFAULT.with(new Observer() {
            @Override
            public void detached(String task, String supervisor, String event) {
                events.add(task + " -> " + supervisor + ": " + event);
            }
        });
        try (var supervisor = Supervisor.open("workers")) {
            Task<String> task;
            try (var scope = Scope.open("s", observed)) {
                task = scope.fork("t", () -> {
                    await(let);
                    return "value";
                });
                assertThat(task.detachTo(supervisor, "answered early")).isTrue();
                assertThat(supervisor.liveTasks()).isOne();
            }
            assertThat(task.isDone()).isFalse();
            let.countDown();
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", false));
            supervisor.awaitTasks(Deadline.none());
        }
        assertThat(events).containsExactly("t -> workers: answered early");
    }

    @Test
    void detachVsEnd_endFirst_nothingIsDetached() {
        try (var supervisor = Supervisor.open("workers");
                var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> "value");
            task.join();
            assertThat(task.detachTo(supervisor, "late")).isFalse();
            assertThat(supervisor.liveTasks()).isZero();
        }
    }

    @Test
    void detachVsEnd_endBetweenTheTwoSteps_nothingIsDetached() {
        var let = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("workers");
                var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> {
                await(let);
                return "value";
            });
            Gates.once("detach/t:admitted", () -> {
                let.countDown();
                while (!task.isDone()) {
                    Thread.onSpinWait();
                }
            });
            assertThat(task.detachTo(supervisor, "too late")).isFalse();
            assertThat(supervisor.liveTasks()).isZero();
        }
    }

    @Test
    void detachVsClose_ofTheSupervisor_closedFirst_theScopeStillJoins() {
        var supervisor = Supervisor.open("workers");
        supervisor.close();
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", HelpersTest::forEver);
            assertThatThrownBy(() -> task.detachTo(supervisor, "e")).isInstanceOf(AdmissionClosed.class);
            assertThat(task.isDone()).isFalse();
        }
    }

    @Test
    void detachVsClose_ofTheScope_theCloseGoesOnWithoutTheTask() {
        var in = new CountDownLatch(1);
        var stop = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("workers")) {
            var scope = Scope.open("s");
            var task = scope.fork(
                    "t",
                    () -> Scope.shielded(() -> {
                        in.countDown();
                        await(stop);
                        return "value";
                    }));
            await(in);
            var owner = Thread.currentThread();
            var detacher = elsewhere(() -> {
                awaitParked(owner);
                return task.detachTo(supervisor, "close waits");
            });
            scope.close();
            assertThat(result(detacher)).isTrue();
            assertThat(task.isDone()).isFalse();
            stop.countDown();
        }
    }

    @Test
    void detach_ofASupervisedTask_isRefused() {
        try (var one = Supervisor.open("one");
                var two = Supervisor.open("two")) {
            var task = one.fork("t", HelpersTest::forEver);
            assertThatThrownBy(() -> task.detachTo(two, "e"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("a supervisor owns it already");
        }
    }

    // nag

    @Test
    void nag_aSwallowedInterrupt_isSentAgainUntilTheTaskEnds() {
        var interrupts = new AtomicInteger();
        var options = Supervisor.Options.DEFAULT.nagging(Duration.ofMillis(2));
        try (var supervisor = Supervisor.open("s", options)) {
            var in = new CountDownLatch(1);
            var task = supervisor.fork("t", () -> {
                in.countDown();
                while (interrupts.get() < 3) {
                    try {
                        forEver();
                    } catch (InterruptedException swallowed) {
                        interrupts.incrementAndGet();
                    }
                }
                return "ended";
            });
            await(in);
            task.cancel(request());
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("ended", true));
        }
        assertThat(Timers.system().pending()).isZero();
    }

    @Test
    void nag_insideAMask_waits() {
        var seen = new AtomicInteger();
        var options = Supervisor.Options.DEFAULT.nagging(Duration.ofMillis(1));
        try (var supervisor = Supervisor.open("s", options)) {
            var in = new CountDownLatch(1);
            var reminded = new CountDownLatch(1);
            var task = supervisor.fork(
                    "t",
                    () -> Scope.shielded(() -> {
                        in.countDown();
                        await(reminded);
                        seen.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                        return "ended";
                    }));
            await(in);
            task.cancel(request());
            Timers.system().at(Deadline.in(Duration.ofMillis(20)), reminded::countDown);
            task.join();
        }
        assertThat(seen).hasValue(0);
    }

    @Test
    void nag_negative_isRefused() {
        assertThatThrownBy(() -> Supervisor.Options.DEFAULT.nagging(Duration.ofMillis(-1)))
                .hasMessageContaining("nag: PT-0.001S (expected: zero or more)");
    }
}
