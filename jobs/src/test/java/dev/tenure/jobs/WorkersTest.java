package dev.tenure.jobs;

import static dev.tenure.jobs.Rig.WORK;
import static dev.tenure.jobs.Rig.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Task;
import dev.tenure.db.CommitOutcome;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Several workers on one table.
@ExtendWith(LeakCheck.class)
class WorkersTest {
    private static final Duration WINDOW = Duration.ofSeconds(20);

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
    void twoWorkers_claimEachJobOnce() throws Exception {
        var one = rig.openOnRealTime(
                rig.jobs().handling(WORK, (run, what) -> rig.effect(run, what).orThrow()));
        var two = rig.openOnRealTime(
                rig.jobs().handling(WORK, (run, what) -> rig.effect(run, what).orThrow()));
        for (int i = 0; i < 200; i++) {
            rig.enqueue(i % 2 == 0 ? one : two, WORK.of("job " + i));
        }
        rig.await(() -> count(one, "finished") + count(two, "finished") == 200);
        assertThat(rig.effects())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, 200).mapToObj(i -> "job " + i).toList());
        assertThat(count(one, "lost") + count(two, "lost")).isZero();
        assertThat(rig.rows()).isEmpty();
    }

    /// The first worker's clock stands still, so that it gives no sign of life; the second's goes on.
    @Test
    void takenOver_theStalledWorkerCannotComplete() throws Exception {
        var go = new CountDownLatch(1);
        var stalled = rig.openOn(new FakeClock(), rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("stalled has fence " + run.fence());
            go.await();
            var end = rig.effect(run, what + " of the stalled");
            rig.trail.add("stalled " + end.end());
            end.orThrow();
        }));
        rig.enqueue(stalled, WORK.of("a"));
        rig.trail.await("stalled has fence 1");

        var other = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("other has fence " + run.fence() + ", attempt " + run.attempt());
            rig.effect(run, what + " of the other").orThrow();
        }));
        rig.passUntil(() -> count(other, "finished") == 1);
        assertThat(rig.passed()).isGreaterThan(WINDOW);
        go.countDown();
        rig.await(() -> count(stalled, "lost") == 1);

        rig.trail.mustBe("stalled has fence 1", "other has fence 2, attempt 2", "stalled ROLLED_BACK");
        assertThat(rig.effects()).containsExactly("a of the other");
        assertThat(rig.failures.events()).anyMatch(told -> told.contains("attempt 1 holds fence 1 no more"));
    }

    @Test
    void takenOver_checkFenceTellsTheStalledWorker() throws Exception {
        var go = new CountDownLatch(1);
        var stalled = rig.openOn(new FakeClock(), rig.jobs().handling(WORK, (run, _) -> {
            rig.trail.add("stalled");
            go.await();
            rig.database
                    .inTransaction(tx -> {
                        run.checkFence(tx);
                        return rig.trail;
                    })
                    .orThrow();
        }));
        rig.enqueue(stalled, WORK.of("a"));
        rig.trail.await("stalled");
        var other = rig.open(rig.jobs().handling(WORK, (_, _) -> {}));
        rig.passUntil(() -> count(other, "finished") == 1);
        go.countDown();
        rig.await(() -> count(stalled, "lost") == 1);
        assertThat(rig.failures.events()).anyMatch(told -> told.contains("Fenced"));
    }

    @Test
    void takenOver_theNextHeartbeatCancelsTheStalledRun() throws Exception {
        var stalledClock = new FakeClock();
        var stalled = rig.openOn(stalledClock, rig.jobs().handling(WORK, (_, _) -> {
            rig.trail.add("stalled");
            new CountDownLatch(1).await();
        }));
        rig.enqueue(stalled, WORK.of("a"));
        rig.trail.await("stalled");
        var other = rig.open(rig.jobs().handling(WORK, (_, _) -> rig.trail.add("other")));
        rig.passUntil(() -> count(other, "finished") == 1);
        stalledClock.advance(Duration.ofSeconds(5));
        rig.await(() -> count(stalled, "lost") == 1);
        rig.trail.mustBe("stalled", "other");
    }

    @Test
    void heartbeat_keepsALongRunFromBeingTakenOver() throws Exception {
        var go = new CountDownLatch(1);
        JobHandler<String> handler = (run, what) -> {
            rig.trail.add("attempt " + run.attempt());
            go.await();
            rig.effect(run, what).orThrow();
        };
        var one = rig.open(rig.jobs().handling(WORK, handler));
        var two = rig.open(rig.jobs().handling(WORK, handler));
        rig.enqueue(one, WORK.of("a"));
        rig.trail.await("attempt 1");
        for (int heartbeat = 0; heartbeat < 12; heartbeat++) {
            beat(Duration.ofSeconds(5));
        }
        go.countDown();
        rig.await(() -> count(one, "finished") + count(two, "finished") == 1);
        rig.trail.mustBe("attempt 1");
        assertThat(rig.passed()).isGreaterThan(WINDOW.multipliedBy(2));
    }

    @Test
    void heartbeat_goesOnWhileDraining() throws Exception {
        var go = new CountDownLatch(1);
        var one = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("one runs");
            Scope.shielded(() -> {
                go.await();
                return rig.effect(run, what).orThrow();
            });
        }));
        rig.enqueue(one, WORK.of("a"));
        rig.trail.await("one runs");
        var two = rig.open(rig.jobs().handling(WORK, (_, _) -> rig.trail.add("two runs")));
        var draining =
                Thread.ofVirtual().start(() -> Rig.drain(one, Rig.TestStop.within(Duration.ofMinutes(5), rig.clock)));
        for (int heartbeat = 0; heartbeat < 12; heartbeat++) {
            beat(Duration.ofSeconds(5));
        }
        assertThat(draining.isAlive()).isTrue();
        go.countDown();
        draining.join();
        assertThat(count(one, "finished"))
                .as("it ended normally, although it had been cancelled")
                .isEqualTo(1);
        assertThat(count(two, "running")).isZero();
        rig.trail.mustBe("one runs");
    }

    /// Lets time pass, and waits until the heartbeat for it is written.
    /// Lets one interval pass. The worker may arm its alarm only after the time was moved:
    /// then it is moved a little more.
    private void beat(Duration interval) {
        long before = newestHeartbeat();
        rig.clock.advance(interval);
        for (int nudges = 0; newestHeartbeat() <= before; nudges++) {
            assertThat(nudges).as("nudges until a heartbeat").isLessThan(100);
            if (!rig.within(Duration.ofMillis(200), () -> newestHeartbeat() > before)) {
                rig.clock.advance(Duration.ofMillis(100));
            }
        }
    }

    private long newestHeartbeat() {
        try {
            return Long.parseLong(
                    rig.texts("select max(heartbeat_at) from tenure_jobs").getFirst());
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void thousandJobs_allRunOnce(TestReporter reporter) throws Exception {
        int jobs = 1_000;
        var worker = rig.openOnRealTime(rig.jobs()
                .concurrency(8)
                .handling(WORK, (run, what) -> rig.effect(run, what).orThrow()));
        long began = System.nanoTime();
        rig.database
                .inTransaction(tx -> {
                    for (int i = 0; i < jobs; i++) {
                        worker.enqueue(tx, WORK.of("job " + i));
                    }
                    return jobs;
                })
                .orThrow();
        rig.await(() -> count(worker, "finished") == jobs);
        long millis = (System.nanoTime() - began) / 1_000_000;
        assertThat(rig.effects()).hasSize(jobs).doesNotHaveDuplicates();
        assertThat(millis).as("1,000 jobs in ms").isLessThan(20_000);
        reporter.publishEntry("1,000 jobs enqueued and run, ms", String.valueOf(millis));
    }

    /// A cancel that comes when the handler has ended finds nothing to cancel: the end is written.
    @Test
    void cancelWhileTheEndIsWritten_changesNothing() throws Exception {
        var worker = rig.open(rig.jobs().handling(WORK, (run, _) -> rig.trail.add("attempt " + run.attempt())));
        try (var _ = Probes.install(point -> {
            if (point.equals("complete/job:before")) {
                var settling = Task.current().orElseThrow();
                settling.cancel(Reason.of(Reason.Kind.REQUEST, "test"));
                settling.cancel(Reason.of(Reason.Kind.DEADLINE, "test"));
            }
        })) {
            rig.enqueue(worker, WORK.of("a"));
            rig.passUntil(() -> count(worker, "finished") == 1);
        }
        rig.trail.mustBe("attempt 1");
        assertThat(rig.failures.events()).isEmpty();
    }

    @Test
    void claimOfUnknownOutcome_isSetFreeByItsOwnWorker() throws Exception {
        var worker = rig.open(rig.jobs().handling(WORK, (run, _) -> rig.trail.add("attempt " + run.attempt())));
        try (var _ = Probes.install(new FailOnce("claim/job:after"))) {
            rig.enqueue(worker, WORK.of("a"));
            rig.passUntil(() -> count(worker, "finished") == 1);
        }
        rig.trail.mustBe("attempt 2");
        assertThat(rig.failures.events()).anyMatch(told -> told.startsWith("jobs worker"));
    }

    @Test
    void exclusive_freesTheClaimsOfADeadProcessAtOnce() throws Exception {
        rig.open(rig.jobs().handling(WORK, (_, _) -> {}));
        rig.database.withLease(sql -> {
            try (var statement = sql.createStatement()) {
                return statement.executeUpdate("""
                        insert into tenure_jobs
                            (type, payload, state, attempt, enqueued_at, run_at, claimed_by, fence, heartbeat_at)
                        values ('dead', x'61', 'RUNNING', 1, 1, 1, 'a dead process', 1, 4102444800000)""");
            }
        });
        var dead = JobType.text("dead");
        var worker =
                rig.open(rig.jobs().exclusive().handling(dead, (run, what) -> rig.trail.add(what + run.attempt())));
        rig.await(() -> count(worker, "finished") == 1);
        rig.trail.mustBe("a2");
        assertThat(rig.passed()).isZero();
    }

    @Test
    void outcomeOfTheEnqueue_isTold() throws Exception {
        var worker = rig.open(rig.jobs().handling(WORK, (_, _) -> {}));
        var outcome = rig.database.inTransaction(tx -> worker.enqueue(tx, WORK.of("a")));
        assertThat(outcome).isEqualTo(new CommitOutcome.Committed<>(true));
        rig.await(() -> count(worker, "finished") == 1);
    }
}
