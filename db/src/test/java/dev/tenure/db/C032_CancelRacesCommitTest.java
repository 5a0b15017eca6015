package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.db.CommitOutcome.Committed;
import dev.tenure.db.CommitOutcome.End;
import dev.tenure.db.CommitOutcome.RolledBack;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C032: a cancel that races with completion. The relay's delay is the fault driver's here; the PostgreSQL half of
/// the case is left for the module that speaks to it.
@ExtendWith(LeakCheck.class)
class C032_CancelRacesCommitTest {
    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private final List<End> hooks = new CopyOnWriteArrayList<>();
    private FaultDriver driver;
    private Sqlite sqlite;
    private Supervisor tasks;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        driver = new FaultDriver();
        sqlite = new Sqlite(folder);
        database = sqlite.open(driver);
        tasks = Supervisor.open("test");
    }

    @AfterEach
    void close() {
        tasks.close();
        database.close();
    }

    private static void await(CountDownLatch latch) {
        while (latch.getCount() > 0) {
            LockSupport.parkNanos(latch, 100_000);
        }
    }

    private static void cancel(Task<?> task) {
        task.cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
    }

    private void assertRolledBackAndReleased(CommitOutcome<Integer> outcome) throws Exception {
        assertThat(outcome).isInstanceOf(RolledBack.class);
        assertThat(((RolledBack<Integer>) outcome).cause()).isInstanceOf(Cancelled.class);
        assertThat(hooks).containsExactly(End.ROLLED_BACK);
        assertThat(sqlite.rows()).isZero();
        assertThat(driver.count("COMMIT")).isZero();
        assertThat(driver.count("ROLLBACK")).isEqualTo(1);
        assertReleased();
    }

    private void assertReleased() throws Exception {
        assertThat(database.counts()).containsEntry("leases", 0L);
        assertThat((int) database.withLease(Sqlite::count)).isEqualTo(sqlite.rows());
    }

    @Test
    void C032_a_betweenTwoStatements_rollsBack() throws Exception {
        var cancelled = new CountDownLatch(1);
        var seen = new CopyOnWriteArrayList<CommitOutcome<Integer>>();
        var task = tasks.fork("client", () -> {
            seen.add(database.inTransaction(tx -> {
                tx.onOutcome(hooks::add);
                Sqlite.insert(tx.connection(), "first");
                trail.add("between");
                await(cancelled);
                return Sqlite.insert(tx.connection(), "second");
            }));
            return 1;
        });
        trail.await("between");
        cancel(task);
        cancelled.countDown();
        task.join();
        assertRolledBackAndReleased(seen.getFirst());
        assertThat(driver.count("INSERT")).isEqualTo(1);
    }

    @Test
    void C032_b_afterTheLastStatement_rollsBack() throws Exception {
        var cancelled = new CountDownLatch(1);
        var seen = new CopyOnWriteArrayList<CommitOutcome<Integer>>();
        var task = tasks.fork("client", () -> {
            seen.add(database.inTransaction(tx -> {
                tx.onOutcome(hooks::add);
                int rows = Sqlite.insert(tx.connection(), "last");
                trail.add("last done");
                await(cancelled);
                return rows;
            }));
            return 1;
        });
        trail.await("last done");
        cancel(task);
        cancelled.countDown();
        task.join();
        assertRolledBackAndReleased(seen.getFirst());
    }

    @Test
    void C032_c_whileCommitIsOnTheWire_itIsAwaitedAndItsResultIsTheTruth() throws Exception {
        var answered = new CountDownLatch(1);
        driver.after("COMMIT", () -> {
            trail.add("committed, reply on its way");
            await(answered);
        });
        var seen = new CopyOnWriteArrayList<CommitOutcome<Integer>>();
        var task = tasks.fork("client", () -> {
            seen.add(database.inTransaction(tx -> {
                tx.onOutcome(hooks::add);
                return Sqlite.insert(tx.connection(), "lamp");
            }));
            return 1;
        });
        trail.await("committed, reply on its way");
        cancel(task);
        assertThat(task.isDone()).isFalse();
        assertThat(database.counts()).containsEntry("leases", 1L);
        assertThat(hooks).isEmpty();

        answered.countDown();
        task.join();
        assertThat(seen).containsExactly(new Committed<>(1));
        assertThat(hooks).containsExactly(End.COMMITTED);
        assertThat(sqlite.rows()).isEqualTo(1);
        assertThat(driver.count("ROLLBACK")).isZero();
        assertThat(driver.closed()).isZero();
        assertReleased();
    }

    @Test
    void C032_c_whileCommitHasNotReachedTheDatabase_itIsSentAllTheSame() throws Exception {
        var sent = new CountDownLatch(1);
        driver.before("COMMIT", () -> {
            trail.add("on the wire");
            await(sent);
        });
        var task = tasks.fork(
                "client",
                () -> database.inTransaction(tx -> {
                    tx.onOutcome(hooks::add);
                    return Sqlite.insert(tx.connection(), "lamp");
                }));
        trail.await("on the wire");
        cancel(task);
        sent.countDown();
        task.join();
        assertThat(hooks).containsExactly(End.COMMITTED);
        assertThat(sqlite.rows()).isEqualTo(1);
        assertReleased();
    }

    @Test
    void C032_inMask_aCancelIsNotSeenAndItCommits() throws Exception {
        var cancelled = new CountDownLatch(1);
        var task = tasks.fork(
                "cleanup",
                () -> dev.tenure.core.Scope.shielded(() -> database.inTransaction(tx -> {
                    tx.onOutcome(hooks::add);
                    try (var statement = tx.connection().prepareStatement("INSERT INTO item (name) VALUES ('lamp')")) {
                        statement.executeUpdate();
                        trail.add("between");
                        await(cancelled);
                        return statement.executeUpdate();
                    }
                })));
        trail.await("between");
        cancel(task);
        cancelled.countDown();
        task.join();
        assertThat(hooks).containsExactly(End.COMMITTED);
        assertThat(sqlite.rows()).isEqualTo(2);
    }
}
