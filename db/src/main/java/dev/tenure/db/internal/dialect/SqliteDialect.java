package dev.tenure.db.internal.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/// SQLite: the lock is taken at the beginning (`BEGIN IMMEDIATE`), so that no later statement can find it taken.
///
/// The driver stays in its autocommit mode: its own `commit()` begins the next transaction in the same call, so a
/// failure of that beginning would look like a failed commit. **Source:** ADR-0022.
public final class SqliteDialect implements Dialect {
    private static final int ERROR = 1;

    /// Fails if a transaction is open, and leaves none: the driver does not tell. Takes no lock.
    private static final String LOOK = "/* is a transaction open? */ BEGIN; ROLLBACK";

    /// The dialect; it has no state.
    public SqliteDialect() {}

    @Override
    public void begin(Connection connection) throws SQLException {
        run(connection, "BEGIN IMMEDIATE");
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        run(connection, "COMMIT");
    }

    @Override
    public void rollback(Connection connection) throws SQLException {
        try {
            run(connection, "ROLLBACK");
        } catch (SQLException e) {
            if (!says(e, "no transaction is active")) {
                throw e;
            }
        }
    }

    @Override
    public boolean lost(Connection connection) throws SQLException {
        try {
            run(connection, "BEGIN IMMEDIATE");
            return true;
        } catch (SQLException e) {
            if (says(e, "within a transaction")) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void reset(Connection connection) throws SQLException {
        try {
            run(connection, LOOK);
        } catch (SQLException e) {
            if (!says(e, "within a transaction")) {
                throw e;
            }
            rollback(connection);
            throw new SQLException("its borrower left a transaction open, which is rolled back now", e);
        }
    }

    @Override
    public boolean hasQueryTimeout() {
        return false;
    }

    private static boolean says(SQLException error, String words) {
        return error.getErrorCode() == ERROR
                && error.getMessage() != null
                && error.getMessage().contains(words);
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }
}
