package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.db.CommitOutcome.End;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// SQLite's own wait for a lock holds the carrier of the virtual thread that waits, so a few waiters stop all others.
/// Here the pulse of another virtual thread is taken while writers wait.
@ExtendWith(LeakCheck.class)
class CarrierPinningTest {
    private static final int WAITERS = 2 * Runtime.getRuntime().availableProcessors();
    private static final int BEATS = 200;
    private static final Duration NATIVE_WAIT = Duration.ofMillis(1500);

    @TempDir
    Path folder;

    private final AtomicLong beats = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final Trail trail = new Trail(Duration.ofSeconds(30));

    private Task<Long> pulse(Supervisor tasks) {
        return tasks.fork("pulse", () -> {
            long longest = 0;
            long last = System.nanoTime();
            while (!stop.get()) {
                LockSupport.parkNanos(1_000_000);
                long now = System.nanoTime();
                longest = Math.max(longest, now - last);
                last = now;
                if (beats.incrementAndGet() % BEATS == 0) {
                    trail.add("beats");
                }
            }
            return longest;
        });
    }

    private static void lock(Connection other) throws SQLException {
        execute(other, "BEGIN IMMEDIATE");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    @Test
    void contendingWriters_doNotFreezeOtherVirtualThreads() throws Exception {
        var sqlite = new Sqlite(folder);
        try (var tasks = Supervisor.open("test");
                var database =
                        sqlite.builder().lockTimeout(Duration.ofSeconds(60)).open();
                var other = sqlite.other()) {
            lock(other);
            var pulse = pulse(tasks);
            var writers = new ArrayList<Task<End>>();
            for (int i = 0; i < WAITERS; i++) {
                writers.add(tasks.fork(
                        "writer",
                        () -> database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                                .end()));
            }
            trail.await("beats", 1);
            assertThat(database.counts()).containsEntry("leases", 1L).containsEntry("waiting", WAITERS - 1L);
            execute(other, "ROLLBACK");
            for (var writer : writers) {
                assertThat(writer.get()).isEqualTo(End.COMMITTED);
            }
            stop.set(true);
            var longest = Duration.ofNanos(pulse.get());
            System.out.println("carrier pinning: longest gap of the pulse " + longest.toMillis() + " ms, " + WAITERS
                    + " contending writers");
            assertThat(longest).isLessThan(NATIVE_WAIT.dividedBy(2));
            assertThat(sqlite.rows()).isEqualTo(WAITERS);
        }
    }

    /// The control: the same contention by the driver's own waiting does freeze the pulse.
    @Test
    void control_nativeWaits_freezeOtherVirtualThreads() throws Exception {
        var sqlite = new Sqlite(folder);
        sqlite.open().close();
        try (var tasks = Supervisor.open("test");
                var other = sqlite.other()) {
            lock(other);
            var pulse = pulse(tasks);
            trail.await("beats", 1);
            var waiters = new ArrayList<Task<Boolean>>();
            for (int i = 0; i < WAITERS; i++) {
                waiters.add(tasks.fork("waiter", this::waitInTheDriver));
            }
            for (var waiter : waiters) {
                assertThat(waiter.get()).isFalse();
            }
            stop.set(true);
            var longest = Duration.ofNanos(pulse.get());
            System.out.println("carrier pinning, control: longest gap of the pulse " + longest.toMillis() + " ms");
            assertThat(longest).isGreaterThan(NATIVE_WAIT.dividedBy(2));
        }
    }

    private boolean waitInTheDriver() throws SQLException {
        String url = "jdbc:sqlite:" + new Sqlite(folder).file() + "?busy_timeout=" + NATIVE_WAIT.toMillis();
        try (var connection = DriverManager.getConnection(url)) {
            lock(connection);
            return true;
        } catch (SQLException busy) {
            return false;
        }
    }
}
