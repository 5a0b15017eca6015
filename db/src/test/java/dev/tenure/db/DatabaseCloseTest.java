package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.zaxxer.hikari.HikariDataSource;
import dev.tenure.core.Cancelled;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Outcome;
import dev.tenure.core.Permits;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.db.CommitOutcome.End;
import dev.tenure.db.internal.dialect.JdbcDialect;
import dev.tenure.db.internal.guard.Patience;
import dev.tenure.host.Phase;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class DatabaseCloseTest {
    private static final Deadline AT_ONCE = Deadline.in(Duration.ZERO);

    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private Supervisor tasks;
    private Sqlite sqlite;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        tasks = Supervisor.open("test");
        sqlite = new Sqlite(folder);
        database = sqlite.builder().leaseTimeout(Duration.ofSeconds(60)).open();
    }

    @AfterEach
    void close() {
        letGo.countDown();
        tasks.close();
        database.close();
    }

    /// Takes the writer and keeps it until it is let go, then commits.
    private Task<End> holder() {
        Task<End> holder = tasks.fork(
                "holder",
                () -> database.inTransaction(tx -> {
                            trail.add("held");
                            letGo.await();
                            return Sqlite.insert(tx.connection(), "lamp");
                        })
                        .end());
        trail.await("held");
        return holder;
    }

    private Task<CloseReport> closing() {
        return tasks.fork("closer", () -> {
            trail.add("closing");
            return database.close(Deadline.none());
        });
    }

    private static Throwable failure(Task<?> task) {
        return ((Outcome.Failed<?>) task.join()).primary();
    }

    private void awaitWaiting(long count) {
        while (database.counts().get("waiting") != count) {
            Thread.onSpinWait();
        }
    }

    @Test
    void close_whileALeaseIsOut_refusesAtOnceAndWaitsForItAlone() throws Exception {
        var holder = holder();
        var waiters = new ArrayList<Task<?>>();
        for (int i = 0; i < 5; i++) {
            waiters.add(tasks.fork("waiter", () -> database.withLease(Sqlite::count)));
        }
        awaitWaiting(5);
        var closing = closing();
        waiters.forEach(waiter -> assertThat(failure(waiter))
                .isInstanceOf(DatabaseClosed.class)
                .hasMessage("database 'shop' is closing and lends nothing more"));
        for (int i = 0; i < 20; i++) {
            assertThat(failure(tasks.fork("late", () -> database.withReader(Sqlite::count))))
                    .isInstanceOf(DatabaseClosed.class);
        }
        assertThat(closing.isDone()).isFalse();
        assertThat(database.counts()).containsEntry("leases", 1L).containsEntry("waiting", 0L);

        letGo.countDown();
        assertThat(holder.get()).isEqualTo(End.COMMITTED);
        assertThat(closing.get().status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(sqlite.rows()).isEqualTo(1);
        assertThat(folder).isDirectoryNotContaining("glob:**-wal");
    }

    @Test
    void close_twiceAndAtOnce_givesTheSameReport() throws Exception {
        var first = closing();
        var second = closing();
        assertThat(first.get()).isSameAs(second.get()).isSameAs(database.close(AT_ONCE));
        database.close();
        assertThat(database).hasToString("database 'shop' CLOSED");
    }

    @Test
    void close_fromInsideItsOwnLease_isAnErrorAndTheDatabaseLives() throws Exception {
        var outcome = database.inTransaction(tx -> {
            assertThatExceptionOfType(CloseFromLease.class)
                    .isThrownBy(() -> database.close())
                    .withMessageContaining("writer lease of 'main'")
                    .withMessageContaining("return first");
            return Sqlite.insert(tx.connection(), "lamp");
        });
        assertThat(outcome.end()).isEqualTo(End.COMMITTED);
        assertThat((int) database.withReader(Sqlite::count)).isEqualTo(1);
    }

    @Test
    void close_thatRunsOutOfTime_leavesThePoolAndNamesTheHolder() throws Exception {
        var holder = holder();
        var report = database.close(AT_ONCE);

        assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE);
        assertThat(report.pending()).singleElement().satisfies(held -> {
            assertThat(held.what()).isEqualTo("holder");
            assertThat(held.where()).isEqualTo("writer lease of database 'shop'");
            assertThat(held.stack())
                    .anySatisfy(frame -> assertThat(frame.getMethodName()).contains("holder"));
        });
        assertThat(database.holders()).hasSize(1);

        letGo.countDown();
        assertThat(holder.get()).isEqualTo(End.COMMITTED);
        var late = database.close(Deadline.in(Duration.ofSeconds(10)));
        assertThat(late.status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(database.holders()).isEmpty();
        assertThat(sqlite.rows()).isEqualTo(1);
    }

    @Test
    void close_thatRanOutOfTime_isFinishedByTheLastLease() throws Exception {
        var holder = holder();
        assertThat(database.close(AT_ONCE).status()).isEqualTo(CloseReport.Status.OVERDUE);

        letGo.countDown();
        assertThat(holder.get()).isEqualTo(End.COMMITTED);
        assertThat(database).hasToString("database 'shop' CLOSED");
    }

    @Test
    void close_whoseWaitIsCancelled_staysClosingAndCanBeWaitedForAgain() throws Exception {
        var holder = holder();
        var closing = closing();
        trail.await("closing");
        closing.cancel(Reason.of(Reason.Kind.REQUEST, "test"));
        assertThat(closing.join()).isInstanceOf(Outcome.CancelledOut.class);
        assertThatExceptionOfType(DatabaseClosed.class).isThrownBy(() -> database.withReader(Sqlite::count));

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(Cancelled.class).isThrownBy(() -> database.close());
        assertThat(Thread.interrupted()).isTrue();

        letGo.countDown();
        assertThat(holder.get()).isEqualTo(End.COMMITTED);
        assertThat(database.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
    }

    @Test
    void close_whileACancelledTransactionCleansUp_waitsAndItsLeaseIsUsable() throws Exception {
        var victim = tasks.fork(
                "victim",
                () -> database.inTransaction(tx -> {
                            Sqlite.insert(tx.connection(), "lamp");
                            try {
                                trail.add("held");
                                new CountDownLatch(1).await();
                                return 0;
                            } finally {
                                trail.add("cleaning, sees " + Sqlite.count(tx.connection()));
                                uninterruptibly(letGo);
                                trail.add("cleaned, sees " + Sqlite.count(tx.connection()));
                            }
                        })
                        .end());
        trail.await("held");
        victim.cancel(Reason.of(Reason.Kind.REQUEST, "test"));
        trail.await("cleaning, sees 1");
        var waiter = tasks.fork("waiter", () -> database.withLease(Sqlite::count));
        awaitWaiting(1);
        var closing = closing();
        assertThat(failure(waiter)).isInstanceOf(DatabaseClosed.class);
        assertThat(closing.isDone()).isFalse();
        assertThat(database.counts()).containsEntry("leases", 1L);
        assertThat(sqlite.rows()).isZero();

        letGo.countDown();
        assertThat(victim.join()).isInstanceOf(Outcome.Success.class);
        assertThat(((Outcome.Success<End>) victim.join()).value()).isEqualTo(End.ROLLED_BACK);
        assertThat(closing.get().status()).isEqualTo(CloseReport.Status.CLEAN);
        trail.await("cleaned, sees 1");
        assertThat(sqlite.rows()).isZero();
    }

    private static void uninterruptibly(CountDownLatch latch) {
        boolean done = false;
        while (!done) {
            try {
                latch.await();
                done = true;
            } catch (InterruptedException ignored) {
                done = false;
            }
        }
    }

    @Test
    void stop_cancelsStatementsWhenForced_andLeavesWhatIsStillHeld() throws Exception {
        var query = tasks.fork("GET /report", () -> database.withReader(Sqlite::forever));
        var stuck = tasks.fork(
                "GET /drill/stuck",
                () -> database.withLease(_ -> {
                    trail.add("stuck");
                    uninterruptibly(letGo);
                    return 1;
                }));
        trail.await("stuck");
        while (database.counts().get("leases") < 2) {
            Thread.onSpinWait();
        }
        var stop = new FakeStop();
        database.force(stop);
        assertThat(failure(query)).isInstanceOf(StatementCancelled.class).hasMessageContaining("GET /report");

        assertThat(database.phases()).containsExactly(Phase.DISPOSE_DEPENDENCIES);
        database.enter(Phase.DISPOSE_DEPENDENCIES, stop);
        assertThat(database.holders()).singleElement().satisfies(held -> {
            assertThat(held.what()).isEqualTo("GET /drill/stuck");
            assertThat(held.cancelledAgo()).isPresent();
        });
        letGo.countDown();
        assertThat(stuck.get()).isEqualTo(1);
        assertThat(database).hasToString("database 'shop' CLOSED");
    }

    @Test
    void abort_onlyWhenAllowed_takesTheConnectionAway() throws Exception {
        database.close();
        database = sqlite.builder().abortHeldLeases(true).open();
        var victim = tasks.fork("victim", () -> {
            var ends = new ArrayList<End>();
            var outcome = database.inTransaction(tx -> {
                tx.onOutcome(ends::add);
                Sqlite.insert(tx.connection(), "lamp");
                trail.add("held");
                uninterruptibly(letGo);
                return Sqlite.insert(tx.connection(), "chair");
            });
            assertThat(ends).containsExactly(End.ROLLED_BACK);
            return outcome;
        });
        trail.await("held");

        var report = database.close(AT_ONCE);
        assertThat(report.status()).isEqualTo(CloseReport.Status.FAILED);
        assertThat(report.failures())
                .singleElement()
                .satisfies(forced -> assertThat(forced.what()).contains("aborted", "victim"));
        assertThat(database).hasToString("database 'shop' CLOSED");
        assertThat(sqlite.rows()).isZero();

        letGo.countDown();
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> victim.get().orThrow());
        assertThat(database.counts()).containsEntry("leases", 0L);
    }

    @Test
    void close_whosePoolThrowsAnError_endsAndReportsIt() {
        var patience = new Patience(Duration.ofSeconds(1), TimeSource.system(), Timers.system());
        var settings = new Settings("odd", Duration.ofSeconds(1), false, patience, Observer.none());
        var pool = new HikariDataSource() {
            @Override
            public void close() {
                throw new LinkageError("half a driver");
            }
        };
        var lane = new Lane("connection", 1, Permits.fair("odd", 1, 1), pool, new JdbcDialect());
        var odd = new Database(settings, lane, lane);

        var report = odd.close(Deadline.none());
        assertThat(report.status()).isEqualTo(CloseReport.Status.FAILED);
        assertThat(report.failures())
                .singleElement()
                .satisfies(failed -> assertThat(failed.failure()).isInstanceOf(LinkageError.class));
        assertThat(odd.close(Deadline.none())).isSameAs(report);
        assertThat(odd).hasToString("database 'odd' CLOSED");
    }

    @Test
    void open_thatFailsHalfWay_leavesNothing() {
        var broken = new FaultDriver();
        for (var builder : List.of(
                sqlite.builder().migratedBy(_ -> {
                    throw new IllegalStateException("migration");
                }),
                Database.sqlite(folder.resolve("missing/shop.db")),
                sqlite.builder().through(broken::failToOpen))) {
            assertThatExceptionOfType(Exception.class).isThrownBy(builder::open);
        }
    }
}
