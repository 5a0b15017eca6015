package dev.tenure.db;

import com.zaxxer.hikari.HikariDataSource;
import dev.tenure.core.Permits;
import dev.tenure.db.internal.dialect.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/// Connections of one kind and the fair queue before them: the one writer, or the readers.
///
/// **Owner:** the database; a pool it opened is closed with it, a data source it was lent is not.
/// **Limits:** `capacity` connections, `waitersMax` waiters.
///
/// @param kind `writer`, `reader`, or `connection`
/// @param capacity how many leases at once
/// @param places the queue: whoever has a permit has a connection waiting
/// @param source gives connections
/// @param dialect the database
record Lane(String kind, int capacity, Permits places, DataSource source, Dialect dialect) {
    boolean isWriter() {
        return !kind.equals("reader");
    }

    Connection open() throws SQLException {
        return source.getConnection();
    }

    void giveBack(Connection connection) throws SQLException {
        connection.close();
    }

    /// Closes the physical connection, which ends whatever it was in the middle of, so that it is never lent again.
    void evict(Connection connection) throws SQLException {
        Connection physical = connection.unwrap(Connection.class);
        try {
            if (!(source instanceof HikariDataSource)) {
                physical.abort(Runnable::run);
            }
            physical.close();
        } finally {
            if (source instanceof HikariDataSource pool) {
                pool.evictConnection(connection);
            }
            connection.close();
        }
    }

    /// Closes what this lane opened.
    void dispose() {
        if (source instanceof HikariDataSource pool) {
            pool.close();
        }
    }
}
