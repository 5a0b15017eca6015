package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.CancelMode;
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
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
class LeaseCancelTest {
    private static final Reason GONE = Reason.of(Reason.Kind.PEER_GONE, "test");

    /// The bar of the design; the repetition of a cancel and a loaded machine included.
    private static final Duration TOLD_WITHIN = Duration.ofMillis(500);

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

    /// Runs the body in a task, cancels it at the trail's event, and asserts that it was told in time.
    private void assertEnded(CancelMode mode, String event, Callable<?> body) {
        try (var tasks = Supervisor.open("test", Supervisor.Options.DEFAULT.with(mode))) {
            Task<?> task = tasks.fork("victim", body);
            trail.await(event);
            long cancelled = System.nanoTime();
            task.cancel(GONE);
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
            assertThat(Duration.ofNanos(System.nanoTime() - cancelled)).isLessThan(TOLD_WITHIN);
        }
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void runningQuery_isEnded(CancelMode mode) {
        driver.before("WITH RECURSIVE", () -> trail.add("query"));
        assertEnded(mode, "query", () -> database.withReader(Sqlite::forever));
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
        driver.before("BEGIN", () -> trail.add("begin"));
        try (var other = sqlite.other();
                var statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            assertEnded(
                    mode,
                    "begin",
                    () -> database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                            .orThrow());
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
    void cancelledQuery_leavesTheLeaseUsableForItsCleanup() throws Exception {
        driver.before("WITH RECURSIVE", () -> trail.add("query"));
        assertEnded(
                CancelMode.INTERRUPT,
                "query",
                () -> database.withReader(sql -> {
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
