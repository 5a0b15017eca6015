package dev.tenure.jobs;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Probe;
import dev.tenure.core.Reason;
import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Database;
import dev.tenure.db.Transaction;
import dev.tenure.host.Component;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import dev.tenure.jobs.internal.table.JobTable;
import dev.tenure.jobs.internal.table.NewJob;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Durable jobs: enqueued in the transaction that needs them, run by a worker after its commit.
///
/// **Owner:** the host; a job's owner is the transaction that enqueues it until its commit, the worker
/// from then on. **Ends:** at `DRAIN_IN_FLIGHT`: nothing is claimed any more, running jobs have their
/// type's `stopGrace` and are then cancelled, joined and given back; signs of life for them go on until
/// they have ended. **States:** `CLAIMING -> DRAINING -> ENDED`. **Threads:** any; a platform thread
/// and two virtual threads for each running job are its own. **Limits:** see [JobsBuilder]. **Fails:**
/// a job that fails is tried again with backoff, then laid aside: [#dead]. **Source:** design 7,
/// ADR-0040.
public final class Jobs implements Component {
    private final String name;
    private final Database database;
    private final Engine engine;
    private final Ticks ticks;
    private final AtomicReference<@Nullable CloseReport> report = new AtomicReference<>();

    Jobs(String name, Database database, Engine engine, Ticks ticks) {
        this.name = name;
        this.database = database;
        this.engine = engine;
        this.ticks = ticks;
    }

    /// Describes a worker on a database. Opens nothing.
    ///
    /// @param database holds the job table
    /// @return the builder
    public static JobsBuilder on(Database database) {
        return new JobsBuilder(database);
    }

    /// Enqueues a job in this transaction. If it commits, the worker runs the job, a local one at once;
    /// if it rolls back, there never was a job.
    ///
    /// @param <T> the payload
    /// @param tx the caller's transaction
    /// @param job what to do
    /// @return false if a job of this type and key waits, runs or is dead already: nothing was enqueued
    /// @throws SQLException as the database does
    public <T> boolean enqueue(Transaction tx, Job<T> job) throws SQLException {
        boolean added = enqueue(tx.connection(), job);
        if (added) {
            tx.onOutcome(_ -> engine.wake());
        }
        return added;
    }

    /// Enqueues a job on a connection whose transaction the caller ends. Call [#wake] after its commit,
    /// or the next poll finds it.
    ///
    /// @param <T> the payload
    /// @param sql the caller's connection
    /// @param job what to do
    /// @return false if a job of this type and key waits, runs or is dead already: nothing was enqueued
    /// @throws SQLException as the database does
    public <T> boolean enqueue(Connection sql, Job<T> job) throws SQLException {
        var now = ticks.now();
        byte[] payload = job.type().codec().encode(job.payload());
        var row = new NewJob(job.type().name(), job.uniqueKey(), payload, now, now.plus(job.delay()));
        return Probe.around("enqueue", "job", () -> JobTable.insert(sql, row)).isPresent();
    }

    /// Removes the job of a key in this transaction, whether it waits, runs or is dead. One that runs
    /// can no longer complete, and is cancelled: here once the transaction has committed, elsewhere at
    /// its next heartbeat.
    ///
    /// @param tx the caller's transaction
    /// @param type its kind
    /// @param key its key
    /// @return false if there was none
    /// @throws SQLException as the database does
    public boolean cancel(Transaction tx, JobType<?> type, String key) throws SQLException {
        OptionalLong removed = JobTable.cancel(tx.connection(), type.name(), key);
        if (removed.isPresent()) {
            var reason = Reason.of(Reason.Kind.REQUEST, "job '" + key + "' was cancelled");
            tx.onOutcome(end -> {
                if (end == CommitOutcome.End.COMMITTED) {
                    engine.cancel(removed.getAsLong(), reason);
                }
            });
        }
        return removed.isPresent();
    }

    /// The jobs that used up their attempts, oldest first.
    ///
    /// @param most at most so many
    /// @return the dead jobs
    /// @throws SQLException as the database does
    public List<DeadJob> dead(int most) throws SQLException {
        return database.withReader(sql -> JobTable.dead(sql, most)).stream()
                .map(row -> new DeadJob(row.id(), row.type(), row.key(), row.attempt(), row.error(), row.enqueuedAt()))
                .toList();
    }

    /// Makes a dead job due again in this transaction, with all its attempts.
    ///
    /// @param tx the caller's transaction
    /// @param id its number
    /// @return false if there is no such dead job
    /// @throws SQLException as the database does
    public boolean revive(Transaction tx, long id) throws SQLException {
        boolean revived = JobTable.revive(tx.connection(), id, ticks.now());
        if (revived) {
            tx.onOutcome(_ -> engine.wake());
        }
        return revived;
    }

    /// Lets the worker look for due jobs now. Does not wait.
    public void wake() {
        engine.wake();
    }

    /// Whether it has begun to stop: nothing is claimed any more.
    ///
    /// @return true for ever once true
    public boolean isDraining() {
        return engine.isDraining();
    }

    /// Ends claiming, gives what runs its type's `stopGrace` within the deadline, then cancels, joins
    /// and gives it back. For tests; a host does the same in its phase.
    ///
    /// @param deadline bounds the wait
    /// @return the final report, the same for every caller; or an `OVERDUE` one that names the jobs
    /// which still run: they keep their claims alive until they have ended
    public CloseReport close(Deadline deadline) {
        long started = ticks.time().nanos();
        engine.drain(Reason.of(Reason.Kind.CLOSE, name), deadline);
        boolean isEnded = engine.await(() -> deadline);
        var elapsed = Duration.ofNanos(ticks.time().nanos() - started);
        if (!isEnded) {
            return new CloseReport(name, CloseReport.Status.OVERDUE, 0, List.of(), holders(), elapsed);
        }
        int released =
                (int) Math.min(Integer.MAX_VALUE, engine.counters().released().sum());
        report.compareAndSet(
                null, new CloseReport(name, CloseReport.Status.CLEAN, released, List.of(), List.of(), elapsed));
        return Objects.requireNonNull(report.get());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Phase> phases() {
        return Set.of(Phase.DRAIN_IN_FLIGHT);
    }

    /// Ends claiming, waits for what runs, and gives back what does not end in time.
    @Override
    public void enter(Phase phase, Stop stop) {
        engine.drain(reason(stop), stop.forceAt());
        engine.await(stop::deadline);
    }

    /// Cancels what runs, whatever grace it has left.
    @Override
    public void force(Stop stop) {
        engine.cancelAll(reason(stop));
    }

    @Override
    public List<Holder> holders() {
        return engine.holders();
    }

    /// How jobs ended here since the worker was opened, and how many run.
    @Override
    public Map<String, Long> counts() {
        return engine.counters().with(engine.live());
    }

    /// How the drain went: what ran and ended in it.
    @Override
    public String summary(Phase phase) {
        return engine.drained();
    }

    @Override
    public Set<Component> uses() {
        return Set.of(database);
    }

    @Override
    public String toString() {
        return name + " " + counts();
    }

    private static Reason reason(Stop stop) {
        return Reason.of(Reason.Kind.STOP, stop.reason().by());
    }
}
