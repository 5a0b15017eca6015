package dev.tenure.jobs;

import static dev.tenure.jobs.Rig.WORK;
import static dev.tenure.jobs.Rig.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Database;
import dev.tenure.db.Transaction;
import dev.tenure.jobs.CuttingDataSource.Cut;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A job is inserted inside the business transaction: it runs after the commit and sees the row, or never.
///
/// The poller looks every 20 ms; the transaction stays open for 500 ms of its clock and at least 25 looks.
@ExtendWith(LeakCheck.class)
class C116_JobInTheBusinessTransactionTest {
    private static final Duration OPEN = Duration.ofMillis(500);
    private static final int LOOKS = 25;

    @TempDir
    Path directory;

    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void commit_theJobRunsAfterIt_andSeesTheRow() throws Exception {
        try (var rig = new Rig(directory);
                var _ = Probes.install(this::countLooks)) {
            var jobs = open(rig);
            var outcome = rig.database.inTransaction(tx -> order(rig, jobs, tx));
            assertThat(outcome.end()).isEqualTo(CommitOutcome.End.COMMITTED);
            rig.await(() -> count(jobs, "finished") == 1);
            rig.trail.mustBe("inserted", "waited", "job sees [order]");
        }
    }

    @Test
    void rollbackByAnException_neverRuns() throws Exception {
        try (var rig = new Rig(directory);
                var _ = Probes.install(this::countLooks)) {
            var jobs = open(rig);
            var outcome = rig.database.inTransaction(tx -> {
                order(rig, jobs, tx);
                throw new IOException("card refused");
            });
            assertThat(outcome.end()).isEqualTo(CommitOutcome.End.ROLLED_BACK);
            mustNeverRun(rig, jobs);
        }
    }

    @Test
    void rollbackByACancel_neverRuns() throws Exception {
        try (var rig = new Rig(directory);
                var _ = Probes.install(this::countLooks)) {
            var jobs = open(rig);
            try (var scope = Scope.open("request")) {
                var outcome = rig.database.inTransaction(tx -> {
                    order(rig, jobs, tx);
                    scope.canceller().cancel(Reason.of(Reason.Kind.PEER_GONE, "the client"));
                    return true;
                });
                assertThat(outcome.end()).isEqualTo(CommitOutcome.End.ROLLED_BACK);
            }
            mustNeverRun(rig, jobs);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Cut.class,
            names = {"BEFORE_THE_DATABASE_SAW_IT", "AFTER_THE_DATABASE_SAW_IT"})
    void connectionCutAtTheCommit_jobAndRowAgree(Cut cut) throws Exception {
        var source = new CuttingDataSource(directory.resolve("cut.db"));
        try (var rig = new Rig(Database.over(source).connections(1).open())) {
            var jobs = open(rig);
            var outcome = rig.database.inTransaction(tx -> {
                insertOrder(tx);
                jobs.enqueue(tx, WORK.of("order"));
                source.cutNextCommit(cut);
                return true;
            });
            assertThat(outcome.end()).isEqualTo(CommitOutcome.End.UNKNOWN);
            if (cut == Cut.AFTER_THE_DATABASE_SAW_IT) {
                rig.await(() -> count(jobs, "finished") == 1);
                rig.trail.mustBe("job sees [order]");
            } else {
                mustNeverRun(rig, jobs);
            }
        }
    }

    private void countLooks(String point) {
        if (point.equals("release/lease:after")
                && Thread.currentThread().getName().equals("tenure-jobs")) {
            looks.incrementAndGet();
        }
    }

    private static Jobs open(Rig rig) {
        return rig.open(rig.jobs()
                .poll(Duration.ofMillis(20))
                .handling(WORK, (_, _) -> rig.trail.add("job sees " + rig.effects())));
    }

    private boolean order(Rig rig, Jobs jobs, Transaction tx) throws SQLException {
        insertOrder(tx);
        jobs.enqueue(tx, WORK.of("order"));
        rig.trail.add("inserted");
        var began = rig.clock.now();
        int before = looks.get();
        rig.passUntil(
                () -> Duration.between(began, rig.clock.now()).compareTo(OPEN) >= 0 && looks.get() - before >= LOOKS);
        rig.trail.add("waited");
        return true;
    }

    private static void insertOrder(Transaction tx) throws SQLException {
        try (var statement = tx.connection().createStatement()) {
            statement.executeUpdate("insert into effects (job, what) values (0, 'order')");
        }
    }

    private static void mustNeverRun(Rig rig, Jobs jobs) throws Exception {
        assertThat(rig.effects()).isEmpty();
        assertThat(rig.rows()).isEmpty();
        rig.enqueue(jobs, WORK.of("later"));
        rig.passUntil(() -> count(jobs, "finished") == 1);
        assertThat(rig.trail.events()).containsOnlyOnce("job sees []").doesNotContain("job sees [order]");
    }
}
