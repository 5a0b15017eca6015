package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.CancelMode;
import dev.tenure.core.Cancelled;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(LeakCheck.class)
class LeaseQueueTest {
    @TempDir
    Path folder;

    private final Trail trail = new Trail();
    private final CountDownLatch letGo = new CountDownLatch(1);
    private FaultDriver driver;
    private Supervisor tasks;
    private Database database;

    @BeforeEach
    void open() {
        tasks = Supervisor.open("test");
        driver = new FaultDriver();
    }

    private void open(int waitersMax, Duration leaseTimeout) throws Exception {
        database = new Sqlite(folder)
                .builder()
                .through(driver::wrap)
                .waitersMax(waitersMax)
                .leaseTimeout(leaseTimeout)
                .open();
    }

    @AfterEach
    void close() {
        letGo.countDown();
        tasks.close();
        database.close();
    }

    private Task<Integer> holder() {
        Task<Integer> holder = tasks.fork(
                "checkout",
                () -> database.withLease(_ -> {
                    trail.add("held");
                    letGo.await();
                    return 1;
                }));
        trail.await("held");
        return holder;
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
    void queue_thatIsFull_refusesWithNumbers() throws Exception {
        open(1, Duration.ofSeconds(60));
        var holder = holder();
        var waiter = tasks.fork("waiter", () -> database.withLease(Sqlite::count));
        awaitWaiting(1);

        assertThat(failure(tasks.fork("third", () -> database.withLease(Sqlite::count))))
                .isInstanceOf(Busy.class)
                .hasMessage("database 'shop', writer for 'third' (capacity 1, leased 1, waiting 1):"
                        + " the queue is full: try later, or raise waitersMax");
        assertThat((int) tasks.fork("reader", () -> database.withReader(Sqlite::count))
                        .get())
                .isZero();
        letGo.countDown();
        assertThat(holder.get()).isEqualTo(1);
        assertThat(waiter.get()).isZero();
    }

    @Test
    void wait_thatTakesTooLong_saysWhoHoldsWhatForHowLong() throws Exception {
        open(8, Duration.ofMillis(50));
        holder();

        assertThat(failure(tasks.fork("late", () -> database.withLease(Sqlite::count))))
                .isInstanceOf(LeaseTimeout.class)
                .hasMessageStartingWith("database 'shop', writer for 'late' (capacity 1, leased 1, waiting 0):"
                        + " no connection within 50 ms; oldest lease 'checkout' held ")
                .hasMessageEndingWith(" ms: shorten that lease, or raise leaseTimeout");
        assertThat(database.counts()).containsEntry("waiting", 0L);
    }

    @Test
    void waiters_areServedInTheOrderOfAsking() throws Exception {
        open(64, Duration.ofSeconds(60));
        holder();
        var waiters = new ArrayList<Task<Integer>>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            waiters.add(tasks.fork(
                    "waiter",
                    () -> database.withLease(_ -> {
                        trail.add("served " + number);
                        return number;
                    })));
            awaitWaiting(i + 1);
        }
        letGo.countDown();
        for (var waiter : waiters) {
            waiter.get();
        }
        assertThat(trail.events().subList(1, 21))
                .isEqualTo(java.util.stream.IntStream.range(0, 20)
                        .mapToObj(i -> "served " + i)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource(CancelMode.class)
    void waiterThatIsCancelled_givesItsPlaceBack(CancelMode mode) throws Exception {
        open(2, Duration.ofSeconds(60));
        var holder = holder();
        try (var others = Supervisor.open("others", Supervisor.Options.DEFAULT.with(mode))) {
            for (int round = 0; round < 2; round++) {
                var first = others.fork("first", () -> database.withLease(Sqlite::count));
                var second = others.fork("second", () -> database.withLease(Sqlite::count));
                awaitWaiting(2);
                for (var waiter : List.of(first, second)) {
                    waiter.cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
                    assertThat(waiter.join()).isInstanceOf(Outcome.CancelledOut.class);
                }
                awaitWaiting(0);
            }
        }
        letGo.countDown();
        assertThat(holder.get()).isEqualTo(1);
        assertThat(driver.count("SELECT count(*) FROM item")).isZero();
    }

    @Test
    void borrowerThatWasCancelledBefore_neverWaits() throws Exception {
        open(2, Duration.ofSeconds(60));
        var task = tasks.fork("late", () -> {
            trail.add("started");
            try {
                new CountDownLatch(1).await();
                return 0;
            } catch (InterruptedException e) {
                return database.withLease(Sqlite::count);
            }
        });
        trail.await("started");
        task.cancel(Reason.of(Reason.Kind.REQUEST, "test"));

        assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        assertThat(database.counts()).containsEntry("lent", 0L);
    }

    /// All leases held, 500 wait, their users go away.
    @Test
    void C005_waitersOfVanishedUsers_leaveTheQueueAndExecuteNothing() throws Exception {
        open(1000, Duration.ofSeconds(60));
        var holder = holder();
        try (var users = Supervisor.open("users")) {
            var waiters = new ArrayList<Task<Integer>>();
            for (int i = 0; i < 500; i++) {
                waiters.add(users.fork("user", () -> database.withLease(sql -> Sqlite.insert(sql, "ghost"))));
            }
            awaitWaiting(500);
            long gone = System.nanoTime();
            users.cancelAll(Reason.of(Reason.Kind.PEER_GONE, "test"));
            awaitWaiting(0);
            assertThat(Duration.ofNanos(System.nanoTime() - gone)).isLessThan(Duration.ofSeconds(2));
            waiters.forEach(waiter -> assertThat(waiter.join()).isInstanceOf(Outcome.CancelledOut.class));
        }
        letGo.countDown();
        assertThat(holder.get()).isEqualTo(1);
        assertThat(tasks.fork("next", () -> database.withLease(Sqlite::count)).get())
                .isZero();
        assertThat(driver.count("INSERT")).isZero();
        assertThat(database.counts()).containsEntry("leases", 0L).containsEntry("lent", 2L);
    }

    @Test
    void cancelledWhileServed_isEitherServedOrNot_andNothingIsLost() throws Exception {
        open(64, Duration.ofSeconds(60));
        int served = 0;
        for (int round = 0; round < 300; round++) {
            var held = tasks.fork("holder", () -> database.withLease(_ -> 1));
            var waiter = tasks.fork("waiter", () -> database.withLease(_ -> 2));
            waiter.cancel(Reason.of(Reason.Kind.REQUEST, "test"));
            assertThat(held.get()).isEqualTo(1);
            var outcome = waiter.join();
            served += outcome instanceof Outcome.Success<Integer> ? 1 : 0;
            assertThat(outcome).isNotInstanceOf(Outcome.Failed.class);
        }
        assertThat(database.counts()).containsEntry("leases", 0L).containsEntry("waiting", 0L);
        assertThat(tasks.fork("last", () -> database.withLease(_ -> 3)).get()).isEqualTo(3);
        assertThat(database.counts().get("lent")).isGreaterThanOrEqualTo(301L + served);
        assertThat(Cancelled.class).isFinal();
    }
}
