package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C132: a lease that is ended by its user, by its scope and by a forced close, in all pairs and all three at once.
@ExtendWith(LeakCheck.class)
class C132_LeaseEndsOnceTest {
    private static final int ROUNDS = 30;

    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private Supervisor tasks;
    private Sqlite sqlite;

    @BeforeEach
    void open() {
        tasks = Supervisor.open("test");
        sqlite = new Sqlite(folder);
    }

    @AfterEach
    void close() {
        tasks.close();
    }

    private enum By {
        USER,
        SCOPE,
        FORCE
    }

    @Test
    void C132_allPairsAndTheTriple_endTheLeaseOnce() throws Exception {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        for (var enders : List.of(
                List.of(By.USER, By.SCOPE),
                List.of(By.USER, By.FORCE),
                List.of(By.SCOPE, By.FORCE),
                List.of(By.USER, By.SCOPE, By.FORCE))) {
            for (int round = 0; round < ROUNDS; round++) {
                endBy(enders, random, "seed " + seed + ", " + enders + ", round " + round);
            }
        }
    }

    /// The user ends the lease in a finalizer of its body, the scope by its close, the force by a close that is out
    /// of time and may abort.
    private void endBy(List<By> enders, Random random, String round) throws Exception {
        var database =
                sqlite.builder().abortHeldLeases(enders.contains(By.FORCE)).open();
        var escaped = new AtomicReference<Connection>();
        var go = new CountDownLatch(1);
        int before = trail.count("held");
        int spins = random.nextInt(20_000);
        var user = tasks.fork("user", () -> {
            try {
                return database.withLease(sql -> {
                    escaped.set(sql);
                    Scope.current().own((AutoCloseable) () -> {
                        if (enders.contains(By.USER)) {
                            closeRefused(sql);
                        }
                    });
                    trail.add("held");
                    go.await();
                    spin(spins);
                    return 1;
                });
            } catch (LeaseEscaped | LeaseRefusal taken) {
                return 0;
            }
        });
        trail.await("held", before + 1);
        assertThat(database.counts()).as(round).containsEntry("leases", 1L);
        go.countDown();
        if (enders.contains(By.FORCE)) {
            spin(random.nextInt(20_000));
            database.close(Deadline.in(Duration.ZERO));
        }
        user.join();
        assertThat(database.counts()).as(round).containsEntry("leases", 0L);
        assertThat(database.holders()).as(round).isEmpty();
        assertStaleHandleNeverReachesTheNext(database, escaped.get(), enders, round);
        database.close();
    }

    private static void closeRefused(Connection sql) {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(sql::close)
                .isInstanceOfAny(LeaseRefusal.class, LeaseEscaped.class);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }

    private static void assertStaleHandleNeverReachesTheNext(
            Database database, Connection stale, List<By> enders, String round) throws Exception {
        if (enders.contains(By.FORCE)) {
            assertThatExceptionOfType(LeaseEscaped.class).as(round).isThrownBy(stale::createStatement);
            return;
        }
        database.withLease(next -> {
            assertThatExceptionOfType(LeaseEscaped.class).as(round).isThrownBy(stale::createStatement);
            assertThatExceptionOfType(LeaseEscaped.class).as(round).isThrownBy(stale::close);
            return Sqlite.insert(next, "the next borrower's");
        });
        assertThat(database.counts()).as(round).containsEntry("leases", 0L);
    }
}
