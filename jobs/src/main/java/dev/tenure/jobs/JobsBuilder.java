package dev.tenure.jobs;

import dev.tenure.db.Database;
import dev.tenure.db.Transaction;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.jobs.internal.table.ClaimTable;
import dev.tenure.jobs.internal.table.Schema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/// Describes a worker; the host opens it.
///
/// **Owner:** the program that builds. **Threads:** one.
/// **Limits:** `concurrency` 1 to 1,000 (default 4); `poll` 10 ms to 1 min (default 1 s), which only
/// jobs of other processes wait for; `heartbeat` 50 ms to 1 min (default 5 s); a claim without a sign
/// of life for 4 heartbeats is free.
public final class JobsBuilder implements Part<Jobs> {
    private static final int CONCURRENCY_MAX = 1_000;
    private static final int HEARTBEATS_MISSED_MAX = 4;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final Database database;
    private final Map<String, Registration<?>> registrations = new LinkedHashMap<>();
    private String name = "jobs";
    private Duration poll = Duration.ofSeconds(1);
    private Duration heartbeat = Duration.ofSeconds(5);
    private int concurrency = 4;
    private boolean exclusive;

    JobsBuilder(Database database) {
        this.database = Objects.requireNonNull(database, "database");
    }

    /// Handles a type with the standard policy.
    ///
    /// @param <T> the payload
    /// @param type the kind of job; rows of kinds that no worker handles stay where they are
    /// @param handler does the work
    /// @return this
    public <T> JobsBuilder handling(JobType<T> type, JobHandler<? super T> handler) {
        return handling(type, handler, JobPolicy.standard());
    }

    /// Handles a type.
    ///
    /// @param <T> the payload
    /// @param type the kind of job
    /// @param handler does the work
    /// @param policy how it is tried, timed and stopped
    /// @return this
    public <T> JobsBuilder handling(JobType<T> type, JobHandler<? super T> handler, JobPolicy policy) {
        var registration = new Registration<T>(
                type, handler::run, policy, handler.getClass().getName());
        if (registrations.putIfAbsent(type.name(), registration) != null) {
            throw ConfigurationError.of("jobs.handling", type.name(), "one handler a type");
        }
        return this;
    }

    /// Gives it another name in reports.
    ///
    /// @param text a short static label
    /// @return this
    public JobsBuilder named(String text) {
        name = text;
        return this;
    }

    /// How many jobs run at once.
    ///
    /// @param most at most so many
    /// @return this
    public JobsBuilder concurrency(int most) {
        concurrency = Setting.between("jobs.concurrency", most, 1, CONCURRENCY_MAX);
        return this;
    }

    /// How often to look for jobs that another process enqueued or gave back.
    ///
    /// @param interval the longest time between two looks
    /// @return this
    public JobsBuilder poll(Duration interval) {
        poll = Setting.between("jobs.poll", interval, Duration.ofMillis(10), MINUTE);
        return this;
    }

    /// How often a running job's claim is renewed; after 4 missed ones it is free.
    ///
    /// @param interval the time between two signs of life
    /// @return this
    public JobsBuilder heartbeat(Duration interval) {
        heartbeat = Setting.between("jobs.heartbeat", interval, Duration.ofMillis(50), MINUTE);
        return this;
    }

    /// Says that no other process uses this table while this one does, as when a lock on its data
    /// directory proves it: all claims found at the opening are left from a dead process, and are free
    /// at once.
    ///
    /// @return this
    public JobsBuilder exclusive() {
        exclusive = true;
        return this;
    }

    /// Creates the job table if it is missing, and starts the worker. If it throws, nothing was started.
    @Override
    public Jobs open(Host host) throws Exception {
        var ticks = Ticks.of(host);
        var rhythm = new Settings.Rhythm(poll, heartbeat, heartbeat.multipliedBy(HEARTBEATS_MISSED_MAX));
        var settings = new Settings(UUID.randomUUID().toString(), registrations, rhythm, concurrency);
        prepareTable();
        var engine = new Engine(database, settings, ticks);
        engine.start();
        return new Jobs(name, database, engine, ticks);
    }

    private void prepareTable() throws Exception {
        int version = database.commit(this::prepare);
        if (version > Schema.VERSION) {
            throw new JobTableMismatch(
                    "%s: the job table has version %d, this program knows up to %d: run the newer program"
                            .formatted(name, version, Schema.VERSION));
        }
    }

    private int prepare(Transaction tx) throws SQLException {
        int version = Schema.install(tx.connection());
        if (exclusive && version <= Schema.VERSION) {
            ClaimTable.freeAll(tx.connection());
        }
        return version;
    }
}
