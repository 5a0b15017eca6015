package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.CancelMode;
import dev.tenure.core.Cancelled;
import dev.tenure.core.Canceller;
import dev.tenure.core.Deadline;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
@Timeout(120)
class LeaseCancelTest {
    private static final Reason GONE = Reason.of(Reason.Kind.PEER_GONE, "test");

    /// The bar of the design; the repetition of a cancel and a loaded machine included.
    private static final Duration TOLD_WITHIN = Duration.ofMillis(500);

    private static final Duration GIVEN_UP = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private FaultDriver driver;
    private Sqlite sqlite;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        driver = new FaultDriver();
        sqlite = new Sqlite(folder);
        database = sqlite.open(driver);
    }

    @AfterEach
    void close() throws SQLException {
        assertThat(database.counts()).containsEntry("leases", 0L).containsEntry("waiting", 0L);
        assertThat((int) database.withLease(Sqlite::count)).isZero();
        assertThat(driver.closed()).isZero();
        database.close();
    }

    /// Runs the body in a task three times, cancels it at the trail's event, and asserts that it was told in time at
    /// the median.
    private void assertEnded(CancelMode mode, String event, Callable<?> body) {
        var told = new ArrayList<Duration>();
        try (var tasks = Supervisor.open("test", Supervisor.Options.DEFAULT.with(mode))) {
            for (int round = 1; round <= 3; round++) {
                Task<?> task = tasks.fork("victim", body);
                try {
                    trail.await(event, round);
                    long cancelled = System.nanoTime();
                    task.cancel(GONE);
                    assertThat(task.join(Deadline.in(GIVEN_UP))).isInstanceOf(Outcome.CancelledOut.class);
                    told.add(Duration.ofNanos(System.nanoTime() - cancelled));
                } finally {
                    end(task);
                }
            }
        }
        assertThat(told.stream().sorted().skip(1).findFirst().orElseThrow()).isLessThan(TOLD_WITHIN);
    }

    /// Whatever an assertion says, the queries end, so that nobody waits for them.
    private void end(Task<?> task) {
        task.cancel(GONE);
        if (!task.isDone()) {
            database.force(new FakeStop());
        }
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void runningQuery_isEnded(CancelMode mode) {
        assertEnded(mode, "query", () -> {
            driver.before("WITH RECURSIVE", () -> trail.add("query"));
            return database.withReader(Sqlite::forever);
        });
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void runningQueryOfThePreparedKind_isEnded(CancelMode mode) {
        assertEnded(
                mode,
                "query",
                () -> database.withReader(sql -> {
                    try (var statement =
                            sql.prepareStatement("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                                    + " SELECT count(*) FROM n")) {
                        trail.add("query");
                        return statement.executeQuery().next();
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void statementBegunAfterACancelThatNobodyNoticed_isEnded(CancelMode mode) {
        var cancelled = new CountDownLatch(1);
        assertEnded(
                mode,
                "computing",
                () -> database.withReader(sql -> {
                    trail.add("computing");
                    Scope scope = Scope.current();
                    while (scope.cancelled().isEmpty()) {
                        LockSupport.parkNanos(cancelled, 100_000);
                    }
                    return Sqlite.forever(sql);
                }));
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void loopOverRows_isEnded(CancelMode mode) {
        assertEnded(
                mode,
                "rows",
                () -> database.withReader(sql -> {
                    try (var statement = sql.createStatement();
                            var rows = statement.executeQuery(
                                    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                                            + " SELECT i FROM n")) {
                        trail.add("rows");
                        long sum = 0;
                        while (rows.next()) {
                            sum += rows.getLong(1);
                        }
                        return sum;
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void loopOfShortStatements_isEnded(CancelMode mode) {
        assertEnded(
                mode,
                "loop",
                () -> database.withReader(sql -> {
                    try (var statement = sql.prepareStatement("SELECT 1")) {
                        trail.add("loop");
                        while (true) {
                            statement.executeQuery().next();
                        }
                    }
                }));
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void waitForALockOfAnotherProcess_isEnded(CancelMode mode) throws Exception {
        try (var other = sqlite.other();
                var statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            assertEnded(mode, "begin", () -> {
                driver.before("BEGIN", () -> trail.add("begin"));
                return database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                        .orThrow();
            });
        }
    }

    @Test
    void deadlineOfTheScope_endsTheQuery() {
        try (var tasks = Supervisor.open("test")) {
            var task = tasks.fork("slow", () -> {
                try (var _ = Scope.open("report", Deadline.in(Duration.ofMillis(50)))) {
                    return database.withReader(Sqlite::forever);
                }
            });
            assertThat(task.join()).isInstanceOf(Outcome.Failed.class);
            assertThat(((Outcome.Failed<Long>) task.join()).primary()).hasMessageContaining("DEADLINE");
        }
    }

    @Test
    void deadlineOfAScopeInsideTheLease_endsTheQueryAndTheLeaseGoesOn() throws Exception {
        long rows = database.withReader(sql -> {
            try (var scope = Scope.open("step", Deadline.in(Duration.ofMillis(50)))) {
                assertThat(scope.deadline().isNone()).isFalse();
                return Sqlite.forever(sql);
            } catch (Cancelled late) {
                trail.add(late.reason().kind().toString());
                return (long) Sqlite.count(sql);
            }
        });
        assertThat(rows).isZero();
        trail.mustBe("DEADLINE");
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void scopeOfTheCallback_cancelledByItself_endsTheQuery(CancelMode mode) throws Exception {
        try (var tasks = Supervisor.open("test", Supervisor.Options.DEFAULT.with(mode))) {
            var victim = tasks.fork(
                    "victim",
                    () -> database.withReader(sql -> {
                        Canceller canceller = Scope.current().canceller();
                        tasks.fork("canceller", () -> canceller.cancel(GONE));
                        return Sqlite.forever(sql);
                    }));
            assertThat(victim.join()).isInstanceOf(Outcome.Failed.class);
            assertThat(((Outcome.Failed<?>) victim.join()).primary()).isInstanceOf(Cancelled.class);
        }
    }

    @Test
    void cancelledTask_mayBorrowForItsCleanup() throws Exception {
        assertEnded(CancelMode.INTERRUPT, "working", () -> {
            try (var scope = Scope.open("work")) {
                scope.own((AutoCloseable) () -> trail.add("cleanup wrote "
                        + database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp")
                                        + tx.connection().createStatement().executeUpdate("DELETE FROM item"))
                                .orThrow()));
                trail.add("working");
                new CountDownLatch(1).await();
                return 1;
            }
        });
        trail.mustEndWith("cleanup wrote 2");
    }

    @Test
    void cancelledQuery_leavesTheLeaseUsableForItsCleanup() throws Exception {
        assertEnded(
                CancelMode.INTERRUPT,
                "query",
                () -> database.withReader(sql -> {
                    driver.before("WITH RECURSIVE", () -> trail.add("query"));
                    sql.prepareStatement("SELECT id FROM item").executeQuery().next();
                    try {
                        return Sqlite.forever(sql);
                    } finally {
                        trail.add("cleanup counts " + Sqlite.count(sql) + ", then " + Sqlite.count(sql));
                    }
                }));
        trail.mustEndWith("cleanup counts 0, then 0");
    }

    /// A cancel tuned to come when the statement ends anyway never reaches the next borrower of the same connection.
    @Test
    void lateCancel_neverReachesTheNextBorrower() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            try (var tasks = Supervisor.open("test")) {
                var first = tasks.fork("first", () -> database.withLease(LeaseCancelTest::shortQuery));
                var next = tasks.fork("next", () -> database.withLease(LeaseCancelTest::shortQuery));
                for (int spin = random.nextInt(60_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                first.cancel(GONE);
                assertThat(next.get()).as("seed %d, round %d", seed, round).isEqualTo(2000L);
                assertThat(first.join()).isNotInstanceOf(Outcome.Failed.class);
            }
        }
    }

    private static long shortQuery(Connection sql) throws SQLException {
        try (var statement = sql.createStatement();
                var rows = statement.executeQuery("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                        + " WHERE i < 2000) SELECT count(*) FROM n")) {
            rows.next();
            return rows.getLong(1);
        }
    }
}
