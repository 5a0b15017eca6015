package dev.tenure.jobs.internal.table;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/// Creates the job table, in the caller's transaction, and says which version it has.
///
/// A new version adds its statements below version 1 and raises [#VERSION]; what is there is never dropped.
public final class Schema {
    /// The version that this code knows.
    public static final int VERSION = 1;

    private static final List<String> VERSION_1 = List.of(
            """
            create table if not exists tenure_jobs_meta (
                name text primary key,
                value integer not null)""",
            """
            create table if not exists tenure_jobs (
                id integer primary key autoincrement,
                type text not null,
                job_key text,
                payload blob not null,
                state text not null check (state in ('READY', 'RUNNING', 'DEAD')),
                attempt integer not null default 0,
                enqueued_at integer not null,
                run_at integer not null,
                claimed_by text,
                fence integer not null default 0,
                heartbeat_at integer,
                error text,
                check ((state = 'RUNNING') = (claimed_by is not null)))""",
            "create unique index if not exists tenure_jobs_key on tenure_jobs (type, job_key)",
            "create index if not exists tenure_jobs_due on tenure_jobs (state, run_at)",
            "insert or ignore into tenure_jobs_meta (name, value) values ('fence', 0)",
            "insert or ignore into tenure_jobs_meta (name, value) values ('version', 1)");

    private Schema() {}

    /// Creates what is missing.
    ///
    /// @param sql a connection in a transaction
    /// @return the version of the table, newer than [#VERSION] if a newer program made it
    /// @throws SQLException as the database does
    public static int install(Connection sql) throws SQLException {
        try (var statement = sql.createStatement()) {
            for (String step : VERSION_1) {
                statement.execute(step);
            }
            try (var rows = statement.executeQuery("select value from tenure_jobs_meta where name = 'version'")) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }
}
