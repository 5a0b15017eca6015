package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static dev.tenure.host.Phase.STOP_ADMISSION;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.tenure.core.Holder;
import dev.tenure.host.Host;
import dev.tenure.host.Phase;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Forced;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class HostBudgetTest {
    private final Trail trail = new Trail();

    /// 32 subsets of the phases, three components each, every hook of the subset hung for ever, the force handles
    /// too. A stop that overshoots because the machine was busy with something else is tried again; one that
    /// overshoots by its own fault overshoots each time.
    @Test
    void stop_anySubsetOfHooksHung_endsInsideBudgetPlusFiftyMilliseconds() {
        var budget = Duration.ofMillis(100);
        assertThat(stopWithHung(Set.of(), Duration.ofSeconds(2))).isLessThan(Duration.ofSeconds(1));
        var worst = Duration.ZERO;
        for (var bits = 1; bits < 32; bits++) {
            var hung = subset(bits);
            var elapsed = bestOfFive(hung, budget);
            worst = elapsed.compareTo(worst) > 0 ? elapsed : worst;
            assertThat(elapsed).as("hung in %s", hung).isLessThanOrEqualTo(budget.plusMillis(50));
        }
        System.out.printf("worst stop with hung hooks: %d ms of %d ms%n", worst.toMillis(), budget.toMillis());
    }

    private Duration bestOfFive(Set<Phase> hung, Duration budget) {
        var best = stopWithHung(hung, budget);
        for (var attempt = 1; attempt < 5 && best.compareTo(budget.plusMillis(50)) > 0; attempt++) {
            var again = stopWithHung(hung, budget);
            best = again.compareTo(best) < 0 ? again : best;
        }
        return best;
    }

    private Duration stopWithHung(Set<Phase> hung, Duration budget) {
        var letGo = new CountDownLatch(1);
        var sound = new Trail();
        try (var host = Host.named("hung").signals(false).stopBudget(budget).start()) {
            host.own(FakePart.named("sound-1").onAll(_ -> sound.add("entered")).onForce(_ -> {}));
            var bad = FakePart.named("hung").onForce(_ -> letGo.await());
            for (var phase : Phase.values()) {
                bad.on(phase, _ -> {
                    if (hung.contains(phase)) {
                        letGo.await();
                    }
                });
            }
            host.own(bad);
            host.own(FakePart.named("sound-2").onAll(_ -> sound.add("entered")).onForce(_ -> {}));

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(hung.isEmpty() ? Completion.GRACEFUL : Completion.INCOMPLETE);
            sound.await("entered", 2 * Phase.values().length); // the hung one blocks no other
            letGo.countDown();
            return report.elapsed();
        } finally {
            letGo.countDown();
        }
    }

    private static Set<Phase> subset(int bits) {
        var phases = new HashSet<Phase>();
        var bit = 1;
        for (var phase : Phase.values()) {
            if ((bits & bit) != 0) {
                phases.add(phase);
            }
            bit <<= 1;
        }
        return phases;
    }

    @Test
    void stop_drainLastsToForce_forcesOnceAtBudgetLessReserve() {
        var clock = new FakeClock();
        var cancelled = new CountDownLatch(1);
        try (var host = Host.named("force").signals(false).timeSource(clock).start()) {
            host.own(FakePart.named("idle").on(STOP_ADMISSION, _ -> {}).onForce(_ -> trail.add("idle forced")));
            host.own(FakePart.named("busy")
                    .on(DRAIN_IN_FLIGHT, stop -> {
                        trail.add("draining, forced " + stop.forced() + ", "
                                + stop.forceAt().remaining().toMillis() + " ms to force");
                        cancelled.await();
                    })
                    .onForce(stop -> {
                        trail.add("forced " + stop.forced() + ", "
                                + stop.deadline().remaining().toMillis() + " ms left");
                        cancelled.countDown();
                    }));

            host.stop();
            trail.mustBe("draining, forced false, 23000 ms to force");
            clock.awaitPending(1);
            clock.advance(Duration.ofMillis(22_999));
            trail.mustBe("draining, forced false, 23000 ms to force");
            clock.advance(Duration.ofMillis(1));
            var report = host.stopAndWait();

            trail.mustBe("draining, forced false, 23000 ms to force", "forced true, 240 ms left");
            assertThat(report.completion()).isEqualTo(Completion.FORCED);
            assertThat(report.exitCode()).isEqualTo(71);
            var busy = report.component("busy").orElseThrow();
            assertThat(busy.outcome()).isEqualTo(Outcome.CANCELLED_BY_FORCE);
            assertThat(busy.forced()).isEqualTo(Forced.COMPLETED);
            assertThat(report.component("idle").orElseThrow().forced()).isEqualTo(Forced.NOT_ATTEMPTED);
            assertThat(report.elapsed()).isEqualTo(Duration.ofSeconds(23));
        }
    }

    @Test
    void stop_disposeHeldUp_isForcedAtTheSameInstant() {
        var clock = new FakeClock();
        var cancelled = new CountDownLatch(1);
        try (var host = Host.named("dispose").signals(false).timeSource(clock).start()) {
            host.own(FakePart.named("database")
                    .on(DISPOSE_DEPENDENCIES, _ -> {
                        trail.add("closing");
                        cancelled.await();
                    })
                    .onForce(_ -> {
                        trail.add("statements cancelled");
                        cancelled.countDown();
                    }));

            host.stop();
            trail.mustBe("closing");
            clock.awaitPending(1);
            clock.advance(Duration.ofSeconds(23));
            var report = host.stopAndWait();

            trail.mustBe("closing", "statements cancelled");
            assertThat(report.completion()).isEqualTo(Completion.FORCED);
        }
    }

    @Test
    void stop_forceNeededAndNoneThere_isUnavailable() {
        var clock = new FakeClock();
        var letGo = new CountDownLatch(1);
        try (var host =
                Host.named("unavailable").signals(false).timeSource(clock).start()) {
            host.own(FakePart.named("stubborn").on(DRAIN_IN_FLIGHT, _ -> {
                trail.add("draining");
                letGo.await();
            }));

            host.stop();
            trail.await("draining");
            clock.awaitPending(1);
            clock.advance(Duration.ofSeconds(23));
            awaitForced(host, Forced.UNAVAILABLE);
            clock.advance(Duration.ofSeconds(2));
            var report = host.stopAndWait();

            var stubborn = report.component("stubborn").orElseThrow();
            assertThat(stubborn.outcome()).isEqualTo(Outcome.TIMED_OUT);
            assertThat(stubborn.forced()).isEqualTo(Forced.UNAVAILABLE);
            assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
            assertThat(report.left().threads()).isEqualTo(1);
            letGo.countDown();
        } finally {
            letGo.countDown();
        }
    }

    @Test
    void stop_lateJoin_showsInTheSnapshotAndNeverInTheReport() {
        var letGo = new CountDownLatch(1);
        try (var host = Host.named("late")
                .signals(false)
                .stopBudget(Duration.ofMillis(100))
                .start()) {
            host.own(FakePart.named("slow").on(DRAIN_IN_FLIGHT, _ -> letGo.await()));

            var report = host.stopAndWait();
            letGo.countDown();

            var slow = awaitJoined(host);
            assertThat(slow.outcome()).isEqualTo(Outcome.TIMED_OUT);
            assertThat(slow.joinedLate()).isPresent();
            assertThat(host.stopAndWait()).as("the report").isSameAs(report);
            assertThat(drainOf(report).joinedLate()).isEmpty();
        }
    }

    private static void awaitForced(Host host, Forced outcome) {
        while (host.snapshot().orElseThrow().component("stubborn").orElseThrow().forced() != outcome) {
            Thread.onSpinWait();
        }
    }

    private static ShutdownReport.CallReport awaitJoined(Host host) {
        while (true) {
            var now = drainOf(host.snapshot().orElseThrow());
            if (now.joinedLate().isPresent()) {
                return now;
            }
            Thread.onSpinWait();
        }
    }

    private static ShutdownReport.CallReport drainOf(ShutdownReport report) {
        return report.phase(DRAIN_IN_FLIGHT).orElseThrow().calls().stream()
                .filter(call -> call.component().equals("slow"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void force_hungEverywhere_givesTheReportSoFarWithinAHundredMilliseconds() {
        var letGo = new CountDownLatch(1);
        try (var host = Host.named("now").signals(false).start()) {
            host.own(FakePart.named("sound").onAll(_ -> trail.add("sound")).onForce(_ -> {}));
            host.own(FakePart.named("hung")
                    .onAll(_ -> {
                        trail.add("hung");
                        letGo.await();
                    })
                    .onForce(_ -> letGo.await()));
            host.stop();
            trail.await("hung");

            var asked = System.nanoTime();
            host.force();
            var report = host.stopAndWait();
            var took = Duration.ofNanos(System.nanoTime() - asked);

            assertThat(took).isLessThan(Duration.ofMillis(300));
            System.out.printf("report after force with everything hung: %d ms%n", took.toMillis());
            assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
            assertThat(report.component("hung").orElseThrow().outcome().hasEnded())
                    .isFalse();
            trail.await("sound", Phase.values().length);
        } finally {
            letGo.countDown();
        }
    }

    /// Disposal that takes longer than the report of what hangs would: nothing holds it up, so it ends.
    @Test
    void force_workThatObeys_slowDisposal_isForcedAndLeavesNothing() {
        var cancelled = new CountDownLatch(1);
        try (var host = Host.named("obeys slowly").signals(false).start()) {
            host.own(FakePart.named("database").on(Phase.DISPOSE_DEPENDENCIES, _ -> pause(Duration.ofMillis(150))));
            host.own(FakePart.named("busy")
                    .on(DRAIN_IN_FLIGHT, _ -> cancelled.await())
                    .on(Phase.DISPOSE_DEPENDENCIES, _ -> pause(Duration.ofMillis(50)))
                    .onForce(_ -> cancelled.countDown()));
            host.stop();
            host.force();

            var report = host.stopAndWait();
            assertThat(report.completion()).isEqualTo(Completion.FORCED);
            assertThat(report.exitCode()).isEqualTo(71);
            assertThat(report.left().resources()).isZero();
            assertThat(report.forcedBy()).contains("host.force()");
            assertThat(report.toText()).contains("by host.stop(), forced by host.force(), exit code 71");
        }
    }

    /// A component that has nothing left but is slow to say so has not failed.
    @Test
    void stop_evidenceThatIsLate_isNoFailureWhenNothingIsLeft() {
        try (var host = Host.named("starved").signals(false).start()) {
            host.own(FakePart.named("http").on(DRAIN_IN_FLIGHT, _ -> {}).heldBy(() -> {
                pause(Duration.ofMillis(400));
                return List.of();
            }));

            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        }
    }

    /// Work that obeys after the first look, but before the report is due, has obeyed.
    @Test
    void force_workThatObeysLate_isForced_andDisposalHasItsTime() {
        var clock = new FakeClock();
        var busy = new AtomicBoolean(true);
        var holder = new Holder("GET /slow", "test", Duration.ZERO, Optional.empty(), List.of());
        try (var host = Host.named("late").signals(false).timeSource(clock).start()) {
            host.own(FakePart.named("database").on(DISPOSE_DEPENDENCIES, _ -> trail.add("closed")));
            host.own(FakePart.named("http")
                    .on(DRAIN_IN_FLIGHT, _ -> {})
                    .onForce(_ -> {})
                    .heldBy(() -> busy.get() ? List.of(holder) : List.of()));
            host.force();
            trail.await("closed");
            busy.set(false);
            clock.awaitPending(1);
            clock.advance(Duration.ofMillis(62));

            var report = host.stopAndWait();
            assertThat(report.completion()).as(report.toText()).isEqualTo(Completion.FORCED);
            assertThat(report.elapsed()).isEqualTo(Duration.ofMillis(62));
        }
    }

    /// Nobody knows whether it is still used, so what it uses stays open, and the stop did not end everything.
    @Test
    void stop_evidenceThatNeverComes_isNoEvidence() {
        var letGo = new CountDownLatch(1);
        try (var host = Host.named("mute")
                .signals(false)
                .stopBudget(Duration.ofMillis(200))
                .start()) {
            var database =
                    host.own(FakePart.named("database").on(DISPOSE_DEPENDENCIES, _ -> trail.add("database closed")));
            host.own(FakePart.named("http")
                    .on(DRAIN_IN_FLIGHT, _ -> {})
                    .using(database)
                    .heldBy(() -> {
                        awaitQuietly(letGo);
                        return List.of();
                    }));

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
            assertThat(report.quiescent()).isFalse();
            assertThat(report.component("http").orElseThrow().outcome()).isEqualTo(Outcome.TIMED_OUT);
            assertThat(report.component("http").orElseThrow().failures())
                    .singleElement(as(STRING))
                    .contains("http did not say within ");
            assertThat(report.component("database").orElseThrow().outcome()).isEqualTo(Outcome.RETAINED);
            trail.mustBe();
        } finally {
            letGo.countDown();
        }
    }

    /// A timer that outlives the stop would still fire in a process that goes on.
    @Test
    void stop_forced_leavesNoTimerArmed() {
        var clock = new FakeClock();
        var cancelled = new CountDownLatch(1);
        try (var host = Host.named("timers").signals(false).timeSource(clock).start()) {
            host.own(FakePart.named("busy")
                    .on(DRAIN_IN_FLIGHT, _ -> {
                        trail.add("draining");
                        cancelled.await();
                    })
                    .onForce(_ -> cancelled.countDown()));
            host.stop();
            trail.await("draining");
            clock.awaitPending(1);
            clock.advance(Duration.ofSeconds(23));

            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.FORCED);
            assertThat(clock.pending()).isZero();
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pause(Duration time) {
        try {
            assertThat(new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS))
                    .isFalse();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void force_workThatObeys_isForced() {
        var cancelled = new CountDownLatch(1);
        try (var host = Host.named("obeys").signals(false).start()) {
            host.own(FakePart.named("busy")
                    .on(DRAIN_IN_FLIGHT, _ -> cancelled.await())
                    .onForce(_ -> cancelled.countDown()));
            host.stop();
            host.force();

            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.FORCED);
        }
    }

    @Test
    void readinessDelay_isCountedInsideTheBudget() {
        var clock = new FakeClock();
        try (var host = Host.named("delay")
                .signals(false)
                .timeSource(clock)
                .readinessDelay(Duration.ofSeconds(5))
                .start()) {
            host.own(FakePart.named("http")
                    .on(Phase.READINESS_DOWN, _ -> trail.add("down"))
                    .on(
                            STOP_ADMISSION,
                            stop -> trail.add(
                                    "sealed, " + stop.budget().remaining().toMillis() + " ms left")));

            host.stop();
            trail.mustBe("down");
            clock.awaitPending(1);
            clock.advance(Duration.ofSeconds(5));
            host.stopAndWait();

            trail.mustBe("down", "sealed, 20000 ms left");
        }
    }
}
