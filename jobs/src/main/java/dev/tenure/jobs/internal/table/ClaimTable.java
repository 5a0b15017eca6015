package dev.tenure.jobs.internal.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/// The statements of a worker: what is due, claims, and claims set free.
///
/// A job can be claimed when it is READY and due, or RUNNING by another worker whose heartbeat is older than the
/// window.
public final class ClaimTable {
    private static final String COLUMNS = "select id, type, job_key, payload, attempt from tenure_jobs ";

    private final Worker worker;
    private final List<String> types;
    private final String marks;

    /// The statements of one worker.
    ///
    /// @param worker who claims
    public ClaimTable(Worker worker) {
        this.worker = worker;
        this.types = List.copyOf(worker.attemptsMax().keySet());
        this.marks = String.join(", ", Collections.nCopies(types.size(), "?"));
    }

    /// When the next job can be claimed.
    ///
    /// @param sql a connection that may read
    /// @return the time, perhaps in the past; empty if nothing waits
    /// @throws SQLException as the database does
    public Optional<Instant> nextDue(Connection sql) throws SQLException {
        String text = """
                select min(due) from (
                    select due from (select run_at as due from tenure_jobs
                        where state = 'READY' and type in (%1$s) order by run_at limit 1)
                    union all
                    select min(heartbeat_at) + ? from tenure_jobs
                    where state = 'RUNNING' and claimed_by <> ? and type in (%1$s))""".formatted(marks);
        try (var statement = sql.prepareStatement(text)) {
            int at = types(statement, 1);
            statement.setLong(at, worker.window().toMillis() + 1);
            statement.setString(at + 1, worker.owner());
            types(statement, at + 2);
            try (var rows = statement.executeQuery()) {
                long due = rows.next() ? rows.getLong(1) : 0;
                return rows.wasNull() ? Optional.empty() : Optional.of(Instant.ofEpochMilli(due));
            }
        }
    }

    /// Claims what is due, oldest first; lays aside what used up its attempts by crashes.
    ///
    /// @param sql a connection in a writing transaction; the claims stand once it committed
    /// @param now the time of the claim
    /// @param most at most so many
    /// @return the claimed and the buried
    /// @throws SQLException as the database does
    public Claims claim(Connection sql, Instant now, int most) throws SQLException {
        var claimed = new ArrayList<ClaimedJob>();
        var buried = new ArrayList<ClaimedJob>();
        var found = candidates(sql, now, most);
        long fence = found.isEmpty() ? 0 : fences(sql, found.size());
        for (ClaimedJob job : found) {
            var mine = new ClaimedJob(job.id(), job.type(), job.key(), job.payload(), job.attempt() + 1, ++fence);
            mark(sql, mine, now);
            if (job.attempt() >= worker.attemptsMax().getOrDefault(job.type(), Integer.MAX_VALUE)) {
                JobTable.bury(sql, mine, "ended without a result in attempt " + job.attempt() + ", its last");
                buried.add(mine);
            } else {
                claimed.add(mine);
            }
        }
        return new Claims(List.copyOf(claimed), List.copyOf(buried));
    }

    /// Sets free the claims of this worker that it does not run: those of a commit whose outcome it never learned, or
    /// whose end it could not write.
    ///
    /// @param sql a connection in a writing transaction
    /// @param running the numbers of what it runs
    /// @return how many were set free
    /// @throws SQLException as the database does
    public int freeOwn(Connection sql, Collection<Long> running) throws SQLException {
        String others = String.join(", ", Collections.nCopies(running.size(), "?"));
        String text = """
                update tenure_jobs set state = 'READY', claimed_by = null, heartbeat_at = null
                where state = 'RUNNING' and claimed_by = ? and id not in (%s)""".formatted(others);
        try (var statement = sql.prepareStatement(text)) {
            statement.setString(1, worker.owner());
            int at = 2;
            for (long id : running) {
                statement.setLong(at++, id);
            }
            return statement.executeUpdate();
        }
    }

    /// Sets every claim free, whoever holds it: for a worker that knows that all others are dead.
    ///
    /// @param sql a connection in a writing transaction
    /// @return how many were set free
    /// @throws SQLException as the database does
    public static int freeAll(Connection sql) throws SQLException {
        try (var statement = sql.createStatement()) {
            return statement.executeUpdate("""
                    update tenure_jobs set state = 'READY', claimed_by = null, heartbeat_at = null
                    where state = 'RUNNING'""");
        }
    }

    private List<ClaimedJob> candidates(Connection sql, Instant now, int most) throws SQLException {
        var found = new ArrayList<>(expired(sql, now, most));
        if (found.size() < most) {
            found.addAll(ready(sql, now, most - found.size()));
        }
        return found;
    }

    private List<ClaimedJob> expired(Connection sql, Instant now, int most) throws SQLException {
        String text = COLUMNS + """
                where state = 'RUNNING' and claimed_by <> ? and heartbeat_at < ? and type in (%s)
                order by run_at, id limit ?""".formatted(marks);
        try (var statement = sql.prepareStatement(text)) {
            statement.setString(1, worker.owner());
            statement.setLong(2, now.minus(worker.window()).toEpochMilli());
            statement.setInt(types(statement, 3), most);
            return found(statement);
        }
    }

    private List<ClaimedJob> ready(Connection sql, Instant now, int most) throws SQLException {
        String text = COLUMNS + """
                where state = 'READY' and run_at <= ? and type in (%s)
                order by run_at, id limit ?""".formatted(marks);
        try (var statement = sql.prepareStatement(text)) {
            statement.setLong(1, now.toEpochMilli());
            statement.setInt(types(statement, 2), most);
            return found(statement);
        }
    }

    private static List<ClaimedJob> found(PreparedStatement statement) throws SQLException {
        var found = new ArrayList<ClaimedJob>();
        try (var rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(candidate(rows));
            }
        }
        return found;
    }

    private static long fences(Connection sql, int many) throws SQLException {
        try (var statement = sql.prepareStatement(
                "update tenure_jobs_meta set value = value + ? where name = 'fence' returning value")) {
            statement.setInt(1, many);
            try (var rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("tenure_jobs_meta has no row 'fence': the job table was tampered with");
                }
                return rows.getLong(1) - many;
            }
        }
    }

    private void mark(Connection sql, ClaimedJob mine, Instant now) throws SQLException {
        String text = """
                update tenure_jobs
                set state = 'RUNNING', claimed_by = ?, fence = ?, heartbeat_at = ?, attempt = attempt + 1
                where id = ?""";
        try (var statement = sql.prepareStatement(text)) {
            statement.setString(1, worker.owner());
            statement.setLong(2, mine.fence());
            statement.setLong(3, now.toEpochMilli());
            statement.setLong(4, mine.id());
            statement.executeUpdate();
        }
    }

    private int types(PreparedStatement statement, int from) throws SQLException {
        int at = from;
        for (String type : types) {
            statement.setString(at++, type);
        }
        return at;
    }

    private static ClaimedJob candidate(ResultSet row) throws SQLException {
        return new ClaimedJob(
                row.getLong(1),
                row.getString(2),
                Optional.ofNullable(row.getString(3)),
                row.getBytes(4),
                row.getInt(5),
                0);
    }

    /// What one claim brought.
    ///
    /// @param claimed to be run
    /// @param buried laid aside, dead
    public record Claims(List<ClaimedJob> claimed, List<ClaimedJob> buried) {}
}
