package dev.tenure.jobs;

import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Reason;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Database;
import dev.tenure.host.Host;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A database with a table of effects, and workers on it, each on a host of its own with the clock it is given.
final class Rig implements AutoCloseable {
    static final JobType<String> WORK = JobType.text("work");
    private static final Duration WATCHDOG = Duration.ofSeconds(20);
    private static final long PAUSE_NANOS = 100_000;

    final Trail trail = new Trail();
    final Trail failures = new Trail();
    final FakeClock clock = new FakeClock();
    final Instant began = clock.now();
    final Database database;
    private final List<Host> hosts = new ArrayList<>();

    Rig(Path directory) throws Exception {
        this(Database.sqlite(directory.resolve("rig.db")).open());
    }

    Rig(Database database) throws Exception {
        this.database = database;
        database.withLease(sql -> {
            try (var statement = sql.createStatement()) {
                return statement.execute("create table if not exists effects (job integer, what text)");
            }
        });
    }

    JobsBuilder jobs() {
        return Jobs.on(database);
    }

    /// Opens a worker on the shared fake clock.
    Jobs open(JobsBuilder builder) {
        return open(builder, clock, clock);
    }

    Jobs openOn(FakeClock other, JobsBuilder builder) {
        return open(builder, other, other);
    }

    Jobs openOnRealTime(JobsBuilder builder) {
        return open(builder, TimeSource.system(), Timers.system());
    }

    private Jobs open(JobsBuilder builder, TimeSource time, Timers timers) {
        return host(time, timers).own(builder);
    }

    Host host(TimeSource time, Timers timers) {
        var host = Host.named("rig")
                .signals(false)
                .timeSource(time)
                .timers(timers)
                .observer(new Ear())
                .start();
        hosts.add(host);
        return host;
    }

    boolean enqueue(Jobs jobs, Job<?> job) throws Exception {
        return database.inTransaction(tx -> jobs.enqueue(tx, job)).orThrow();
    }

    /// Writes an effect and completes the job in one transaction.
    CommitOutcome<String> effect(JobRun run, String what) {
        return database.inTransaction(tx -> {
            try (var insert = tx.connection().prepareStatement("insert into effects (job, what) values (?, ?)")) {
                insert.setLong(1, run.id());
                insert.setString(2, what);
                insert.executeUpdate();
            }
            run.complete(tx);
            return what;
        });
    }

    List<String> effects() throws SQLException {
        return texts("select what from effects order by rowid");
    }

    /// State and attempt of each job in the table.
    List<String> rows() throws SQLException {
        return texts("select state || ' ' || attempt from tenure_jobs order by id");
    }

    List<String> texts(String query) throws SQLException {
        return database.withReader(sql -> {
            try (var statement = sql.createStatement();
                    var rows = statement.executeQuery(query)) {
                var found = new ArrayList<String>();
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
                return found;
            }
        });
    }

    /// Lets the fake time pass, in small steps, until the condition holds.
    void passUntil(BooleanSupplier reached) {
        var limit = Deadline.in(WATCHDOG);
        while (!reached.getAsBoolean()) {
            if (limit.passed()) {
                throw new AssertionError("not reached in " + WATCHDOG.toSeconds() + " s: " + trail + failures);
            }
            clock.advance(Duration.ofMillis(10));
            LockSupport.parkNanos(PAUSE_NANOS); // looks again: what it waits for wakes nobody
        }
    }

    /// Waits in real time; the fake one stands still.
    void await(BooleanSupplier reached) {
        var limit = Deadline.in(WATCHDOG);
        while (!reached.getAsBoolean()) {
            if (limit.passed()) {
                throw new AssertionError("not reached in " + WATCHDOG.toSeconds() + " s: " + trail + failures);
            }
            LockSupport.parkNanos(PAUSE_NANOS); // looks again: what it waits for wakes nobody
        }
    }

    /// Waits in real time, no longer than given.
    ///
    /// @return whether it was reached
    boolean within(Duration wait, BooleanSupplier reached) {
        var limit = Deadline.in(wait);
        while (!reached.getAsBoolean() && !limit.passed()) {
            LockSupport.parkNanos(PAUSE_NANOS); // looks again: what it waits for wakes nobody
        }
        return reached.getAsBoolean();
    }

    Duration passed() {
        return Duration.between(began, clock.now());
    }

    static long count(Jobs jobs, String what) {
        return jobs.counts().getOrDefault(what, -1L);
    }

    /// Stops one worker as its host would.
    static void drain(Jobs jobs, Stop stop) {
        jobs.enter(Phase.DRAIN_IN_FLIGHT, stop);
    }

    /// A failed test may leave work that only the passing of the fake time ends.
    @Override
    public void close() {
        var closing = Threads.system().startPlatform("rig-close", () -> hosts.forEach(Host::close));
        passUntil(() -> !closing.isAlive());
        database.close();
    }

    /// A stop whose phases all end at once or never.
    record TestStop(Deadline deadline, Deadline forceAt) implements Stop {
        static TestStop within(Duration wait, TimeSource time) {
            return new TestStop(Deadline.in(wait, time), Deadline.in(wait, time));
        }

        @Override
        public Deadline budget() {
            return deadline;
        }

        @Override
        public Reason reason() {
            return Reason.of(Reason.Kind.STOP, "the test");
        }

        @Override
        public boolean forced() {
            return forceAt.passed();
        }
    }

    private final class Ear implements Observer {
        @Override
        public void failed(String owner, Throwable failure) {
            failures.add(owner + ": " + failure);
        }
    }
}
