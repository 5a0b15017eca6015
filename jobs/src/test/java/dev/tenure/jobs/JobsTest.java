package dev.tenure.jobs;

import static dev.tenure.jobs.Rig.WORK;
import static dev.tenure.jobs.Rig.count;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Scope;
import dev.tenure.db.CommitOutcome;
import dev.tenure.host.Activity;
import dev.tenure.host.ConfigurationError;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class JobsTest {
    private static final JobPolicy ONCE_A_SECOND =
            JobPolicy.standard().attemptsMax(3).backoff(Backoff.fixed(Duration.ofSeconds(1)));

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
    void enqueue_committed_runsAtOnceWithoutAPoll() throws Exception {
        var jobs =
                rig.open(rig.jobs().handling(WORK, (run, what) -> rig.trail.add(what + " attempt " + run.attempt())));
        assertThat(rig.enqueue(jobs, WORK.of("a"))).isTrue();
        rig.trail.await("a attempt 1");
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.rows()).isEmpty();
        assertThat(rig.passed()).isZero();
    }

    @Test
    void enqueue_rolledBack_neverRuns() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, what) -> rig.trail.add(what)));
        var outcome = rig.database.inTransaction(tx -> {
            jobs.enqueue(tx, WORK.of("never"));
            throw new IOException("disk full");
        });
        assertThat(outcome.end()).isEqualTo(CommitOutcome.End.ROLLED_BACK);
        rig.enqueue(jobs, WORK.of("later"));
        rig.trail.await("later");
        rig.trail.mustBe("later");
    }

    @Test
    void enqueue_onTheCallersConnection_runsAfterItsCommitAndAWake() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, what) -> rig.trail.add(what)));
        rig.database.withLease(sql -> jobs.enqueue(sql, WORK.of("a")));
        jobs.wake();
        rig.trail.await("a");
    }

    @Test
    void enqueue_keyTaken_addsNothing() throws Exception {
        var go = new CountDownLatch(1);
        var jobs = rig.open(rig.jobs().handling(WORK, (_, what) -> {
            rig.trail.add(what);
            go.await();
        }));
        assertThat(rig.enqueue(jobs, WORK.of("a").keyed("k"))).isTrue();
        rig.trail.await("a");
        assertThat(rig.enqueue(jobs, WORK.of("b").keyed("k"))).isFalse();
        go.countDown();
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.enqueue(jobs, WORK.of("c").keyed("k"))).as("free again").isTrue();
        rig.trail.await("c");
    }

    @Test
    void delayed_runsWhenDue_notAtTheNextPoll() throws Exception {
        var ran = new AtomicReference<Duration>();
        var jobs = rig.open(rig.jobs().poll(Duration.ofMinutes(1)).handling(WORK, (_, _) -> ran.set(rig.passed())));
        rig.enqueue(jobs, WORK.of("a").after(Duration.ofSeconds(7)));
        rig.clock.advance(Duration.ofMillis(6_999));
        rig.clock.advance(Duration.ofMillis(1));
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(ran.get()).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void failing_isRetriedWithBackoff_thenDead_thenRevived() throws Exception {
        var healed = new AtomicInteger();
        var jobs = rig.open(rig.jobs()
                .handling(
                        WORK,
                        (run, _) -> {
                            rig.trail.add(run.attempt() + (run.isLast() ? " last" : ""));
                            if (healed.get() == 0) {
                                throw new IOException("no route");
                            }
                        },
                        ONCE_A_SECOND));
        rig.enqueue(jobs, WORK.of("a").keyed("k"));
        rig.passUntil(() -> count(jobs, "dead") == 1);
        rig.trail.mustBe("1", "2", "3 last");
        assertThat(rig.passed()).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
        assertThat(count(jobs, "retried")).isEqualTo(2);
        var dead = jobs.dead(10).getFirst();
        assertThat(dead.error()).isEqualTo("java.io.IOException: no route");
        assertThat(dead.attempts()).isEqualTo(3);
        assertThat(dead.uniqueKey()).contains("k");

        healed.set(1);
        assertThat(rig.database.inTransaction(tx -> jobs.revive(tx, dead.id())).orThrow())
                .isTrue();
        rig.await(() -> count(jobs, "finished") == 1);
        rig.trail.mustEndWith("1");
        assertThat(jobs.dead(10)).isEmpty();
    }

    @Test
    void complete_withTheResult_commitsBothOrNeither() throws Exception {
        var jobs = rig.open(rig.jobs()
                .handling(
                        WORK,
                        (run, what) -> {
                            if (run.attempt() == 1) {
                                rig.database
                                        .inTransaction(tx -> {
                                            run.complete(tx);
                                            throw new IOException("before the commit");
                                        })
                                        .orThrow();
                            }
                            rig.effect(run, what + " " + run.attempt()).orThrow();
                        },
                        ONCE_A_SECOND));
        rig.enqueue(jobs, WORK.of("a"));
        rig.passUntil(() -> count(jobs, "finished") == 1);
        assertThat(rig.effects()).containsExactly("a 2");
        assertThat(rig.rows()).isEmpty();
    }

    @Test
    void failingAfterItsCompletion_isFinished_andToldToTheObserver() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.effect(run, what).orThrow();
            throw new IOException("too late");
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.effects()).containsExactly("a");
        assertThat(rig.failures.events()).anyMatch(told -> told.contains("too late"));
    }

    @Test
    void complete_twice_isRefused() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.effect(run, what).orThrow();
            rig.effect(run, what).orThrow();
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.effects()).containsExactly("a");
        assertThat(rig.failures.events()).anyMatch(told -> told.contains("is completed already"));
    }

    @Test
    void cancel_whileItWaits_removesIt() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, what) -> rig.trail.add(what)));
        rig.enqueue(jobs, WORK.of("a").keyed("k").after(Duration.ofSeconds(1)));
        assertThat(rig.database.inTransaction(tx -> jobs.cancel(tx, WORK, "k")).orThrow())
                .isTrue();
        assertThat(rig.database.inTransaction(tx -> jobs.cancel(tx, WORK, "k")).orThrow())
                .isFalse();
        rig.enqueue(jobs, WORK.of("b").after(Duration.ofSeconds(2)));
        rig.passUntil(() -> count(jobs, "finished") == 1);
        rig.trail.mustBe("b");
    }

    @Test
    void cancel_whileItRuns_endsIt_andItsResultIsFenced() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("running");
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                rig.trail.add("cancelled");
            }
            rig.trail.add(Scope.shielded(() -> rig.effect(run, what)).end().toString());
        }));
        rig.enqueue(jobs, WORK.of("a").keyed("k"));
        rig.trail.await("running");
        assertThat(rig.database.inTransaction(tx -> jobs.cancel(tx, WORK, "k")).orThrow())
                .isTrue();
        rig.trail.await("ROLLED_BACK");
        rig.await(() -> count(jobs, "lost") == 1);
        rig.trail.mustBe("running", "cancelled", "ROLLED_BACK");
        assertThat(rig.effects()).isEmpty();
        assertThat(rig.rows()).isEmpty();
    }

    @Test
    void cancel_rolledBack_leavesTheRunAlone() throws Exception {
        var go = new CountDownLatch(1);
        var jobs = rig.open(rig.jobs().handling(WORK, (run, what) -> {
            rig.trail.add("running");
            go.await();
            rig.effect(run, what).orThrow();
        }));
        rig.enqueue(jobs, WORK.of("a").keyed("k"));
        rig.trail.await("running");
        var outcome = rig.database.inTransaction(tx -> {
            jobs.cancel(tx, WORK, "k");
            throw new IOException("changed its mind");
        });
        assertThat(outcome.end()).isEqualTo(CommitOutcome.End.ROLLED_BACK);
        go.countDown();
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.effects()).containsExactly("a");
    }

    @Test
    void runMax_cancelsTheAttempt_whichIsRetried() throws Exception {
        var jobs = rig.open(rig.jobs()
                .handling(
                        WORK,
                        (run, _) -> {
                            rig.trail.add("attempt " + run.attempt());
                            if (run.attempt() == 1) {
                                new CountDownLatch(1).await();
                            }
                        },
                        ONCE_A_SECOND.runMax(Duration.ofSeconds(30))));
        rig.enqueue(jobs, WORK.of("a"));
        rig.trail.await("attempt 1");
        rig.passUntil(() -> count(jobs, "finished") == 1);
        assertThat(rig.passed()).isGreaterThanOrEqualTo(Duration.ofSeconds(31));
        rig.trail.mustBe("attempt 1", "attempt 2");
    }

    @Test
    void payloadThatCannotBeDecoded_isAFailedAttempt() throws Exception {
        var number = JobType.of("number", new JobCodec<Integer>() {
            @Override
            public byte[] encode(Integer payload) {
                return new byte[] {payload.byteValue()};
            }

            @Override
            public Integer decode(byte[] stored) {
                throw new IllegalArgumentException("unknown format " + stored[0]);
            }
        });
        var jobs = rig.open(rig.jobs().handling(number, (_, _) -> rig.trail.add("ran"), ONCE_A_SECOND.attemptsMax(1)));
        rig.enqueue(jobs, number.of(7));
        rig.await(() -> count(jobs, "dead") == 1);
        assertThat(jobs.dead(1).getFirst().error()).endsWith("unknown format 7");
        rig.trail.mustBe();
    }

    @Test
    void handler_hasItsOwnScopeAndActivity_endedBeforeTheJob() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, _) -> {
            Scope.current().own(() -> rig.trail.add("scope ended, rows " + rig.rows()));
            Activity.current().cleanup("tidy", () -> rig.trail.add("activity ended, rows " + rig.rows()));
        }));
        rig.enqueue(jobs, WORK.of("a"));
        rig.await(() -> count(jobs, "finished") == 1);
        rig.trail.mustBe("activity ended, rows [RUNNING 1]", "scope ended, rows [RUNNING 1]");
    }

    @Test
    void typeThatNobodyHandles_staysWhereItIs() throws Exception {
        var jobs = rig.open(rig.jobs().handling(WORK, (_, what) -> rig.trail.add(what)));
        rig.enqueue(jobs, JobType.text("of a newer version").of("b"));
        rig.enqueue(jobs, WORK.of("a"));
        rig.await(() -> count(jobs, "finished") == 1);
        assertThat(rig.rows()).containsExactly("READY 0");
    }

    @Test
    void tableOfANewerVersion_isRefused() throws Exception {
        rig.open(rig.jobs().handling(WORK, (_, _) -> {}));
        rig.database.withLease(sql -> {
            try (var statement = sql.createStatement()) {
                return statement.executeUpdate("update tenure_jobs_meta set value = 99 where name = 'version'");
            }
        });
        assertThatThrownBy(() -> rig.open(rig.jobs().handling(WORK, (_, _) -> {})))
                .isInstanceOf(JobTableMismatch.class)
                .hasMessage("jobs: the job table has version 99, this program knows up to 1: run the newer program");
    }

    @Test
    void badSettings_areRefusedByKeyValueAndRange() {
        assertThatThrownBy(() -> rig.jobs().concurrency(0))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("jobs.concurrency: 0 (expected: 1 to 1000)");
        assertThatThrownBy(() -> rig.jobs().poll(Duration.ofMillis(1)))
                .hasMessage("jobs.poll: 1 ms (expected: 10 ms to 60 s)");
        assertThatThrownBy(() -> rig.jobs().heartbeat(Duration.ofHours(1)))
                .hasMessage("jobs.heartbeat: 3600 s (expected: 50 ms to 60 s)");
        assertThatThrownBy(() -> rig.jobs().handling(WORK, (_, _) -> {}).handling(WORK, (_, _) -> {}))
                .hasMessage("jobs.handling: work (expected: one handler a type)");
        assertThatThrownBy(() -> WORK.of("a").keyed("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> JobType.text(" ")).isInstanceOf(IllegalArgumentException.class);
    }
}
