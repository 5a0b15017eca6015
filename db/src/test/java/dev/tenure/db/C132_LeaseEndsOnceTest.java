package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.host.Host;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C132: a lease that is ended by its user, by its scope and by a forced stop, in all pairs and all three at once. A
/// user's close is a no-op that says so: it is refused by a typed exception and ends nothing.
@ExtendWith(LeakCheck.class)
@Timeout(120)
class C132_LeaseEndsOnceTest {
    private static final int ROUNDS = 30;

    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private final Random random = new Random();
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
        /// Its connection is closed by the user: in a finalizer of the body, and by another thread.
        USER,
        /// The body returns while the others are at it; without this, only after them.
        SCOPE,
        /// A close that is out of time takes it away.
        FORCE
    }

    /// One lease and what is done to it.
    private final class Round {
        final Set<By> enders;
        final String label;
        final Database database;
        final FaultDriver driver = new FaultDriver();
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch othersDone = new CountDownLatch(1);
        final AtomicReference<Connection> lent = new AtomicReference<>();
        volatile boolean over;

        Round(Set<By> enders, String label) throws Exception {
            this.enders = enders;
            this.label = label;
            this.database = builder().open();
        }

        DatabaseBuilder builder() {
            return sqlite.builder().through(driver::wrap).abortHeldLeases(enders.contains(By.FORCE));
        }

        int borrow() {
            int spins = random.nextInt(20_000);
            try {
                return database.withLease(sql -> {
                    lent.set(sql);
                    Scope.current().own((AutoCloseable) () -> {
                        if (enders.contains(By.USER)) {
                            closeIsRefused(sql);
                        }
                    });
                    trail.add(label);
                    Sqlite.uninterruptibly(enders.contains(By.SCOPE) ? go : othersDone);
                    spin(spins);
                    return 1;
                });
            } catch (DatabaseException taken) {
                assertThat(taken).as(label).isInstanceOf(LeaseEscaped.class);
                return 0;
            }
        }

        /// What any other thread may see at any instant.
        int sampled() {
            int most = 0;
            do {
                long leases = database.counts().get("leases");
                assertThat(leases).as(label).isBetween(0L, 1L);
                assertThat(go.getCount() == 0 || leases == 1)
                        .as(label + ": it is out until somebody ends it")
                        .isTrue();
                most = Math.max(most, database.holders().size());
            } while (!over);
            return most;
        }

        List<Task<?>> others() {
            var started = new ArrayList<Task<?>>();
            if (enders.contains(By.USER)) {
                started.add(racing("closes", () -> closeIsRefused(lent.get())));
            }
            if (enders.contains(By.FORCE)) {
                started.add(racing("stops", () -> database.close(Deadline.in(Duration.ZERO))));
            }
            return started;
        }

        private Task<?> racing(String name, Runnable deed) {
            int spins = random.nextInt(20_000);
            return tasks.fork(name, () -> {
                Sqlite.uninterruptibly(go);
                spin(spins);
                deed.run();
                return name;
            });
        }
    }

    @Test
    void C132_allPairsAndTheTriple_endTheLeaseOnce() throws Exception {
        long seed = random.nextLong();
        random.setSeed(seed);
        for (var enders : List.of(
                EnumSet.of(By.USER, By.SCOPE),
                EnumSet.of(By.USER, By.FORCE),
                EnumSet.of(By.SCOPE, By.FORCE),
                EnumSet.of(By.USER, By.SCOPE, By.FORCE))) {
            for (int round = 0; round < ROUNDS; round++) {
                end(new Round(enders, "seed " + seed + ", " + enders + ", round " + round));
            }
        }
    }

    private void end(Round round) throws Exception {
        Task<Integer> user = tasks.fork("user", round::borrow);
        trail.await(round.label);
        Task<Integer> sampler = tasks.fork("sampler", round::sampled);
        var others = round.others();
        round.go.countDown();
        for (var other : others) {
            other.get();
        }
        round.othersDone.countDown();
        int result = user.get();

        var database = round.database;
        assertThat(database.counts()).as(round.label).containsEntry("leases", 0L);
        assertThat(database.holders()).as(round.label).isEmpty();
        assertStale(round);
        if (round.enders.contains(By.FORCE)) {
            assertThat(database).as(round.label).hasToString("database 'shop' CLOSED");
        } else {
            assertThat(result).as(round.label).isEqualTo(1);
            assertOnlyOneAtATime(round);
        }
        round.over = true;
        assertThat(sampler.get()).as(round.label).isLessThanOrEqualTo(1);
        database.close();
    }

    /// The stale handle fails, also while the connection that it had is with the next borrower.
    private static void assertStale(Round round) throws Exception {
        Connection stale = round.lent.get();
        assertThatExceptionOfType(LeaseEscaped.class).as(round.label).isThrownBy(stale::createStatement);
        assertThatExceptionOfType(LeaseEscaped.class).as(round.label).isThrownBy(stale::close);
        if (round.enders.contains(By.FORCE)) {
            return;
        }
        assertThat(round.driver.closed())
                .as("%s: the physical connection lives on", round.label)
                .isZero();
        round.database.withLease(next -> {
            assertThatExceptionOfType(LeaseEscaped.class).as(round.label).isThrownBy(stale::createStatement);
            assertThatExceptionOfType(LeaseEscaped.class).as(round.label).isThrownBy(stale::close);
            return Sqlite.insert(next, "the next borrower's");
        });
    }

    /// A place that was given back twice would let two in.
    private void assertOnlyOneAtATime(Round round) throws Exception {
        var inside = new AtomicInteger();
        var next = new ArrayList<Task<Integer>>();
        for (int i = 0; i < 3; i++) {
            next.add(tasks.fork(
                    "next",
                    () -> round.database.withLease(_ -> {
                        int now = inside.incrementAndGet();
                        spin(2_000);
                        inside.decrementAndGet();
                        return now;
                    })));
        }
        for (var each : next) {
            assertThat(each.get()).as(round.label).isEqualTo(1);
        }
    }

    @Test
    void C132_aStopOfTheHost_takesTheLeaseOnce_whateverItsUserDoesLater() throws Exception {
        var host = Host.named("test")
                .signals(false)
                .stopBudget(Duration.ofMillis(200))
                .start();
        var round = new Round(EnumSet.of(By.USER, By.FORCE), "host");
        round.database.close();
        var database = host.own(round.builder());
        var lent = new AtomicReference<Connection>();
        Task<Integer> user = tasks.fork(
                "user",
                () -> database.withLease(sql -> {
                    lent.set(sql);
                    Scope.current().own((AutoCloseable) () -> closeIsRefused(sql));
                    trail.add("held");
                    Sqlite.uninterruptibly(round.othersDone);
                    return 1;
                }));
        trail.await("held");

        try (host) {
            assertTakenByTheStop(host, database, lent.get());
        } finally {
            round.othersDone.countDown();
        }
        assertThat(user.get()).as("its release came third, and did nothing").isEqualTo(1);
        assertThat(database.counts()).containsEntry("leases", 0L);
    }

    private static void assertTakenByTheStop(Host host, Database database, Connection lent) {
        var report = host.stopAndWait();
        assertThat(report.toText()).contains("database 'shop'");
        while (!database.toString().endsWith("CLOSED")) {
            Thread.onSpinWait(); // the aborting close may end after the budget did
        }
        assertThat(database).hasToString("database 'shop' CLOSED");
        assertThat(database.counts()).containsEntry("leases", 0L);
        assertThatExceptionOfType(LeaseEscaped.class).isThrownBy(lent::close);
        assertThat(host.stopAndWait()).isSameAs(report);
    }

    private static void closeIsRefused(Connection sql) {
        assertThatExceptionOfType(DatabaseException.class)
                .isThrownBy(sql::close)
                .isInstanceOfAny(LeaseRefusal.class, LeaseEscaped.class, WrongThreadLease.class);
    }

    private static void spin(int times) {
        for (int i = 0; i < times; i++) {
            Thread.onSpinWait();
        }
    }
}
