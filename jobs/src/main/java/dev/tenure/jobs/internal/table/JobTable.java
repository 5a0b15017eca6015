package dev.tenure.jobs.internal.table;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// The statements of whoever enqueues, cancels, completes or looks at jobs.
///
/// Each runs on the caller's connection, in the caller's transaction. A statement about a claim matches its row
/// by number and fence: it changes nothing, and says so, once the claim is lost.
///
/// ```
/// (none) --insert--> READY --claim--> RUNNING --complete, cancel--> (none)
///                      ^                |  |
///                      '-retry, release-'  '--bury--> DEAD --revive--> READY
/// ```
public final class JobTable {
    private static final int ERROR_CHARACTERS_MAX = 2_000;

    private JobTable() {}

    /// Adds a job unless one of its type and key is there, in any state.
    ///
    /// @param sql the caller's connection
    /// @param job the row
    /// @return its number, or empty if there is one already
    /// @throws SQLException as the database does
    public static OptionalLong insert(Connection sql, NewJob job) throws SQLException {
        String text = """
                insert into tenure_jobs (type, job_key, payload, state, enqueued_at, run_at)
                values (?, ?, ?, 'READY', ?, ?) on conflict (type, job_key) do nothing returning id""";
        try (var statement = sql.prepareStatement(text)) {
            statement.setString(1, job.type());
            statement.setString(2, job.key().orElse(null));
            statement.setBytes(3, job.payload());
            statement.setLong(4, job.enqueuedAt().toEpochMilli());
            statement.setLong(5, job.runAt().toEpochMilli());
            return number(statement);
        }
    }

    /// Removes the job of a key, whatever its state.
    ///
    /// @param sql the caller's connection
    /// @param type the name of its kind
    /// @param key its key
    /// @return its number, or empty if there was none
    /// @throws SQLException as the database does
    public static OptionalLong cancel(Connection sql, String type, String key) throws SQLException {
        try (var statement =
                sql.prepareStatement("delete from tenure_jobs where type = ? and job_key = ? returning id")) {
            statement.setString(1, type);
            statement.setString(2, key);
            return number(statement);
        }
    }

    /// Removes a claimed job: it is done.
    ///
    /// @param sql the caller's connection
    /// @param id its number
    /// @param fence the token of the claim
    /// @return false if the claim is lost
    /// @throws SQLException as the database does
    public static boolean complete(Connection sql, long id, long fence) throws SQLException {
        try (var statement =
                sql.prepareStatement("delete from tenure_jobs where id = ? and fence = ? and state = 'RUNNING'")) {
            statement.setLong(1, id);
            statement.setLong(2, fence);
            return statement.executeUpdate() == 1;
        }
    }

    /// Proves and prolongs a claim.
    ///
    /// @param sql the caller's connection
    /// @param job the claim
    /// @param now the time of the heartbeat
    /// @return false if the claim is lost
    /// @throws SQLException as the database does
    public static boolean renew(Connection sql, ClaimedJob job, Instant now) throws SQLException {
        String text = "update tenure_jobs set heartbeat_at = ? where id = ? and fence = ? and state = 'RUNNING'";
        try (var statement = sql.prepareStatement(text)) {
            statement.setLong(1, now.toEpochMilli());
            statement.setLong(2, job.id());
            statement.setLong(3, job.fence());
            return statement.executeUpdate() == 1;
        }
    }

    /// Gives a failed job back, to be due later.
    ///
    /// @param sql the caller's connection
    /// @param job the claim
    /// @param due when it is due again
    /// @param error why it failed
    /// @return false if the claim is lost
    /// @throws SQLException as the database does
    public static boolean retry(Connection sql, ClaimedJob job, Instant due, String error) throws SQLException {
        String text = """
                update tenure_jobs set state = 'READY', claimed_by = null, heartbeat_at = null, run_at = ?, error = ?
                where id = ? and fence = ? and state = 'RUNNING'""";
        try (var statement = sql.prepareStatement(text)) {
            statement.setLong(1, due.toEpochMilli());
            statement.setString(2, shortened(error));
            statement.setLong(3, job.id());
            statement.setLong(4, job.fence());
            return statement.executeUpdate() == 1;
        }
    }

    /// Gives a job back as if it had not been claimed: due as before, the attempt not counted.
    ///
    /// @param sql the caller's connection
    /// @param job the claim
    /// @return false if the claim is lost
    /// @throws SQLException as the database does
    public static boolean release(Connection sql, ClaimedJob job) throws SQLException {
        String text = """
                update tenure_jobs
                set state = 'READY', claimed_by = null, heartbeat_at = null, attempt = attempt - 1
                where id = ? and fence = ? and state = 'RUNNING'""";
        try (var statement = sql.prepareStatement(text)) {
            statement.setLong(1, job.id());
            statement.setLong(2, job.fence());
            return statement.executeUpdate() == 1;
        }
    }

    /// Lays a job aside that used up its attempts.
    ///
    /// @param sql the caller's connection
    /// @param job the claim
    /// @param error why it failed
    /// @return false if the claim is lost
    /// @throws SQLException as the database does
    public static boolean bury(Connection sql, ClaimedJob job, String error) throws SQLException {
        String text = """
                update tenure_jobs set state = 'DEAD', claimed_by = null, heartbeat_at = null, error = ?
                where id = ? and fence = ? and state = 'RUNNING'""";
        try (var statement = sql.prepareStatement(text)) {
            statement.setString(1, shortened(error));
            statement.setLong(2, job.id());
            statement.setLong(3, job.fence());
            return statement.executeUpdate() == 1;
        }
    }

    /// The dead jobs, oldest first.
    ///
    /// @param sql the caller's connection
    /// @param most at most so many
    /// @return the dead jobs
    /// @throws SQLException as the database does
    public static List<BuriedJob> dead(Connection sql, int most) throws SQLException {
        String text = """
                select id, type, job_key, attempt, coalesce(error, ''), enqueued_at from tenure_jobs
                where state = 'DEAD' order by id limit ?""";
        try (var statement = sql.prepareStatement(text)) {
            statement.setInt(1, most);
            var dead = new ArrayList<BuriedJob>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    dead.add(buried(rows));
                }
            }
            return List.copyOf(dead);
        }
    }

    /// Makes a dead job due again, with all its attempts.
    ///
    /// @param sql the caller's connection
    /// @param id its number
    /// @param due when it is due
    /// @return false if there is no such dead job
    /// @throws SQLException as the database does
    public static boolean revive(Connection sql, long id, Instant due) throws SQLException {
        String text = "update tenure_jobs set state = 'READY', attempt = 0, run_at = ? where id = ? and state = 'DEAD'";
        try (var statement = sql.prepareStatement(text)) {
            statement.setLong(1, due.toEpochMilli());
            statement.setLong(2, id);
            return statement.executeUpdate() == 1;
        }
    }

    /// Whether a claim's row is still there, claimed by anybody or by nobody.
    ///
    /// @param sql the caller's connection
    /// @param id its number
    /// @return false once it is completed or cancelled
    /// @throws SQLException as the database does
    public static boolean exists(Connection sql, long id) throws SQLException {
        try (var statement = sql.prepareStatement("select id from tenure_jobs where id = ?")) {
            statement.setLong(1, id);
            return number(statement).isPresent();
        }
    }

    private static OptionalLong number(PreparedStatement statement) throws SQLException {
        try (var rows = statement.executeQuery()) {
            return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
        }
    }

    private static BuriedJob buried(ResultSet row) throws SQLException {
        return new BuriedJob(
                row.getLong(1),
                row.getString(2),
                Optional.ofNullable(row.getString(3)),
                row.getInt(4),
                row.getString(5),
                Instant.ofEpochMilli(row.getLong(6)));
    }

    private static String shortened(String error) {
        return error.length() <= ERROR_CHARACTERS_MAX ? error : error.substring(0, ERROR_CHARACTERS_MAX);
    }
}
