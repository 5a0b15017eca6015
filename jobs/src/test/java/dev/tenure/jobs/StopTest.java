package dev.tenure.jobs;

import static dev.tenure.jobs.Rig.WORK;
import static dev.tenure.jobs.Rig.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.Activity;
import dev.tenure.host.Phase;
import dev.tenure.jobs.Rig.TestStop;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class StopTest {
    @TempDir
    Path directory;

    private Rig rig;

    @BeforeEach
    void open() throws Exception {
        rig = new Rig(directory);
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void stop_aRunThatEndsInItsGrace_isFinished() throws Exception {
        var go = new CountDownLatch(1);
        var jobs = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("running");
            go.await();
            rig.trail.add("stopping " + run.stopping());
            rig.effect(run, what).orThrow();
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");
        var draining = drain(jobs, Duration.ofSeconds(60));
        rig.enqueue(jobs, WORK.of("not claimed any more"));
        rig.clock.advance(Duration.ofMillis(4_900));
        go.countDown();
        draining.join();
        rig.trail.mustBe("running", "stopping true");
        assertThat(rig.effects()).containsExactly("a");
        assertThat(rig.rows()).containsExactly("READY 0");
        assertThat(jobs.counts())
                .containsEntry("finished", 1L)
                .containsEntry("released", 0L)
                .containsEntry("running", 0L);
        assertThat(jobs.summary(Phase.DRAIN_IN_FLIGHT)).isEqualTo("1 finished, 0 released");
    }

    @Test
    void stop_aRunThatOutlastsItsGrace_isCancelledJoinedAndReleased() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, _) -> {
            rig.trail.add("running");
            try {
                new CountDownLatch(1).await();
            } finally {
                rig.trail.add("cleaned up, rows " + Scope.shielded(rig::rows));
            }
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");
        var draining = drain(jobs, Duration.ofSeconds(60));
        rig.clock.advance(Duration.ofMillis(4_999));
        assertThat(draining.isAlive()).isTrue();
        rig.clock.advance(Duration.ofMillis(1));
        draining.join();
        rig.trail.mustBe("running", "cleaned up, rows [RUNNING 1]");
        assertThat(rig.rows()).as("the attempt does not count").containsExactly("READY 0");
        assertThat(count(jobs, "released")).isEqualTo(1);
        assertThat(jobs.holders()).isEmpty();
    }

    @Test
    void close_outsideAHost_givesTheGraceWithinItsDeadline_andReportsTheSameToAll() throws Exception {
        var letGo = new CountDownLatch(1);
        var jobs = rig.open(rig.jobs().handling(WORK, (_, _) -> {
            rig.trail.add("running");
            Scope.shielded(() -> {
                while (letGo.getCount() > 0) {
                    try {
                        letGo.await();
                    } catch (InterruptedException _) {
                        rig.trail.add("cancelled");
                    }
                }
                return letGo;
            });
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");

        var early = jobs.close(Deadline.in(Duration.ZERO, rig.clock));
        assertThat(early.status()).isEqualTo(CloseReport.Status.OVERDUE);
        assertThat(early.pending())
                .singleElement()
                .satisfies(held -> assertThat(held.what()).startsWith("job work #"));
        assertThat(jobs.isDraining()).isTrue();

        letGo.countDown();
        var report = jobs.close(Deadline.none());
        assertThat(report.status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(report.owner()).isEqualTo("jobs");
        assertThat(jobs.close(Deadline.none())).isSameAs(report);
        assertThat(jobs.holders()).isEmpty();
    }

    @Test
    void stop_anotherNodeRunsTheReleasedJobWithinFiveSeconds() throws Exception {
        var policy = JobPolicy.standard().stopGrace(Duration.ofMillis(100));
        var leaving = rig.openOnRealTime(rig.jobs()
                .handling(
                        WORK,
                        (_, _) -> {
                            rig.trail.add("leaving runs it");
                            new CountDownLatch(1).await();
                        },
                        policy));
        rig.enqueue(leaving, WORK.of("a"));
        rig.trail.await("leaving runs it");
        var staying = rig.openOnRealTime(
                rig.jobs().handling(WORK, (run, _) -> rig.trail.add("staying runs attempt " + run.attempt())));
        long began = System.nanoTime();
        Rig.drain(leaving, TestStop.within(Duration.ofSeconds(30), TimeSource.system()));
        rig.trail.await("staying runs attempt 1");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(5));
        rig.await(() -> count(staying, "finished") == 1);
    }

    @Test
    void stop_idle_isImmediate_whateverThePoll() {
        var fastest = Duration.ofDays(1);
        for (int round = 0; round < 5; round++) {
            var jobs =
                    rig.openOnRealTime(rig.jobs().poll(Duration.ofSeconds(10)).handling(WORK, (_, _) -> {}));
            long began = System.nanoTime();
            Rig.drain(jobs, TestStop.within(Duration.ofSeconds(30), TimeSource.system()));
            var took = Duration.ofNanos(System.nanoTime() - began);
            fastest = took.compareTo(fastest) < 0 ? took : fastest;
        }
        assertThat(fastest).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void stop_aRunThatIgnoresTheCancel_isNamed_keepsItsClaim_andIsSettledLate() throws Exception {
        var go = new CountDownLatch(1);
        var jobs = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("running");
            Scope.shielded(() -> {
                go.await();
                return rig.effect(run, what).orThrow();
            });
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");
        var draining = drain(jobs, Duration.ofSeconds(20));
        rig.clock.advance(Duration.ofSeconds(20));
        draining.join();
        var holder = jobs.holders().getFirst();
        assertThat(holder.what()).isEqualTo("job work #1, attempt 1, fence 1");
        assertThat(holder.where()).contains(getClass().getName());
        assertThat(holder.age()).isEqualTo(Duration.ofSeconds(20));
        assertThat(holder.cancelledAgo()).contains(Duration.ofSeconds(15));
        assertThat(holder.stack())
                .anyMatch(frame -> frame.getMethodName().contains("settledLate")
                        || frame.getClassName().equals(getClass().getName()));
        assertThat(rig.rows()).containsExactly("RUNNING 1");
        go.countDown();
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.effects()).containsExactly("a");
    }

    @Test
    void force_endsEveryGrace() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, _) -> {
            rig.trail.add("running");
            new CountDownLatch(1).await();
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");
        var draining = drain(jobs, Duration.ofSeconds(60));
        jobs.force(TestStop.within(Duration.ofSeconds(60), rig.clock));
        draining.join();
        assertThat(rig.rows()).containsExactly("READY 0");
        assertThat(rig.passed()).isZero();
    }

    @Test
    void stop_backgroundWorkOfTheActivityOutlivesIt_keepsTheClaimUntilItEnds() throws Exception {
        var host = rig.host(rig.clock, rig.clock);
        var signal = new AtomicReference<Runnable>();
        var jobs = host.own(rig.jobs().handling(WORK, (_, _) -> {
            signal.set(Activity.current().background("mirror"));
            rig.trail.add("running");
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");
        var report = host.stopAsync();
        rig.passUntil(() -> report.toCompletableFuture().isDone());
        assertThat(rig.rows()).containsExactly("RUNNING 1");
        assertThat(jobs.holders()).hasSize(1);
        signal.get().run();
        rig.await(() -> count(jobs, "finished") == 1);
        rig.await(() -> jobs.holders().isEmpty());
    }

    @Test
    void host_reportsWhatTheDrainDid() throws Exception {
        var host = rig.host(TimeSource.system(), Timers.system());
        var jobs = host.own(rig.jobs()
                .handling(
                        WORK,
                        (_, _) -> {
                            rig.trail.add("running");
                            new CountDownLatch(1).await();
                        },
                        JobPolicy.standard().stopGrace(Duration.ofMillis(50))));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("running");
        var report = host.stopAndWait();
        assertThat(report.toText()).contains("jobs").contains("0 finished, 1 released");
        assertThat(report.exitCode()).isZero();
        assertThat(rig.rows()).containsExactly("READY 0");
    }

    private Thread drain(Jobs jobs, Duration wait) {
        var draining = Thread.ofVirtual().start(() -> Rig.drain(jobs, TestStop.within(wait, rig.clock)));
        rig.await(jobs::isDraining);
        return draining;
    }
}
