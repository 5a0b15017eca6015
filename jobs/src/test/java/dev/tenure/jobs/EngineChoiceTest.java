package dev.tenure.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.kagkarlsson.scheduler.PollingStrategyConfig;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.scheduler.testhelper.ManualScheduler;
import com.github.kagkarlsson.scheduler.testhelper.SettableClock;
import com.github.kagkarlsson.scheduler.testhelper.TestHelper;
import dev.tenure.db.Database;
import dev.tenure.db.LeaseEscaped;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Why the engine is ours: what db-scheduler 16.12.0 does where Tenure promises something else (ADR-0040).
///
/// These tests pin the behavior that decided; one that turns red after an upgrade reopens the decision.
class EngineChoiceTest {

    private static final String TABLE = """
            create table scheduled_tasks (
                task_name text, task_instance text, task_data blob, execution_time timestamp, picked bit,
                picked_by text, last_success timestamp, last_failure timestamp, consecutive_failures int,
                last_heartbeat timestamp, version bigint, priority smallint,
                primary key (task_name, task_instance))""";

    /// Later than any wall clock, since a revived execution is due at the wall clock's time whatever clock is set.
    private final SettableClock clock = new SettableClock();

    @TempDir
    Path directory;

    private FileDataSource file = FileDataSource.at(Path.of("unset"));

    @BeforeEach
    void createTable() throws SQLException {
        clock.set(Instant.parse("2100-01-01T00:00:00Z"));
        file = FileDataSource.at(directory.resolve("jobs.db"));
        try (var sql = file.getConnection();
                var statement = sql.createStatement()) {
            statement.execute("pragma journal_mode = wal");
            statement.execute(TABLE);
        }
    }

    /// The version is a token of one row, a key is a row, and a new row starts at 1 again: two claims of one key
    /// carry the same token, so the first worker's late completion is taken for the second's.
    @Test
    void fencing_keyUsedAgain_aStalledWorkerCompletesTheJobOfAnother() throws Exception {
        var stalled = new Gate();
        var second = new Gate();
        var nodeA = node(stalled::pass);
        nodeA.schedule(instance(), clock.now());
        var runA = Thread.ofVirtual().start(nodeA::runAnyDueExecutions);
        stalled.entered().await();

        clock.tick(Duration.ofHours(1));
        var nodeB = node(() -> {});
        nodeB.runDeadExecutionDetection();
        nodeB.runAnyDueExecutions();
        assertThat(nodeB.getScheduledExecution(instance()))
                .as("taken over and completed by B")
                .isEmpty();

        nodeB.schedule(instance(), clock.now());
        var nodeC = node(second::pass);
        var runC = Thread.ofVirtual().start(nodeC::runAnyDueExecutions);
        second.entered().await();
        stalled.open().countDown();
        runA.join();

        assertThat(nodeC.getScheduledExecution(instance()))
                .as("the job that C runs was completed by A, which had lost its claim")
                .isEmpty();
        second.open().countDown();
        runC.join();
    }

    /// Completion, retry and heartbeat go through connections of its own: a writer in its transaction makes them fail
    /// at once, and what it picked stays picked after its stop, until another node's heartbeat window has passed.
    @Test
    void stop_afterACompletionMetTheWriter_leavesTheJobPicked() throws Exception {
        try (var writer = file.getConnection();
                var statement = writer.createStatement()) {
            var nodeA = node(() -> begin(writer));
            nodeA.schedule(instance(), clock.now());
            nodeA.runAnyDueExecutions();
            statement.execute("rollback");
            nodeA.stop();
        }

        var nodeB = node(() -> {});
        clock.tick(Duration.ofSeconds(5));
        nodeB.runDeadExecutionDetection();
        nodeB.runAnyDueExecutions();
        assertThat(nodeB.getScheduledExecution(instance()))
                .as("5 s after the stop no other node can run it")
                .hasValueSatisfying(row -> assertThat(row.isPicked()).isTrue());
    }

    /// Its statements cannot go through the one writer: it asks a data source for a connection and offers no
    /// place around its use, but a lease is lent for a callback, to one thread.
    @Test
    void lease_outsideItsCallback_isRefused() throws Exception {
        try (var database = Database.sqlite(directory.resolve("ours.db")).open()) {
            DataSource overTheWriter = new BorrowingDataSource(database);
            assertThatThrownBy(() -> node(overTheWriter, () -> {}).schedule(instance(), clock.now()))
                    .isInstanceOf(LeaseEscaped.class);
        }
    }

    private ManualScheduler node(Runnable body) {
        return node(file, body);
    }

    private ManualScheduler node(DataSource source, Runnable body) {
        OneTimeTask<Void> task = Tasks.oneTime("thumbnail").execute((_, _) -> body.run());
        return TestHelper.createManualScheduler(source, task)
                .clock(clock)
                .pollingStrategy(PollingStrategyConfig.DEFAULT_FETCH)
                .build();
    }

    private static TaskInstance<Void> instance() {
        return new TaskInstance<>("thumbnail", "photo-1");
    }

    private static void begin(Connection writer) {
        try (var statement = writer.createStatement()) {
            statement.execute("begin immediate");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private record Gate(CountDownLatch entered, CountDownLatch open) {
        Gate() {
            this(new CountDownLatch(1), new CountDownLatch(1));
        }

        void pass() {
            entered.countDown();
            try {
                open.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// All it can give away is what the callback was lent.
    private static final class BorrowingDataSource extends FakeDataSource {
        private final Database database;

        BorrowingDataSource(Database database) {
            this.database = database;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return database.withLease(sql -> sql);
        }
    }
}
