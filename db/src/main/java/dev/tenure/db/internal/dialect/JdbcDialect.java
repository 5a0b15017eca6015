package dev.tenure.db.internal.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/// Any database, by the means of JDBC alone: a transaction is the time without autocommit.
public final class JdbcDialect implements Dialect {
    /// The dialect; it has no state.
    public JdbcDialect() {}

    @Override
    public void begin(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
    }

    @Override
    public void commit(Connection connection) throws SQLException {
        connection.commit();
    }

    @Override
    public void rollback(Connection connection) throws SQLException {
        connection.rollback();
    }

    @Override
    public boolean lost(Connection connection) {
        return false;
    }

    @Override
    public void reset(Connection connection) throws SQLException {
        connection.setAutoCommit(true);
    }

    @Override
    public boolean hasQueryTimeout() {
        return true;
    }
}
