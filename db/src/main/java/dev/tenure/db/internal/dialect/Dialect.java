package dev.tenure.db.internal.dialect;

import java.sql.Connection;
import java.sql.SQLException;

/// How one database begins and ends a transaction. Every method is called by the one thread that has the connection.
public interface Dialect {
    /// Begins a transaction that may write.
    ///
    /// @param connection idle, outside any transaction
    /// @throws SQLException if it did not begin
    void begin(Connection connection) throws SQLException;

    /// Sends COMMIT and waits for its answer.
    ///
    /// @param connection inside a transaction
    /// @throws SQLException if the answer was an error, or did not come
    void commit(Connection connection) throws SQLException;

    /// Rolls back; a transaction that the database has ended by itself counts as rolled back.
    ///
    /// @param connection inside a transaction
    /// @throws SQLException if the rollback is not confirmed
    void rollback(Connection connection) throws SQLException;

    /// Whether a failed statement has made the database roll the whole transaction back. If so, the connection is
    /// inside a new, empty one afterwards, so that no later statement commits by itself.
    ///
    /// @param connection inside a transaction as far as we know
    /// @return true if the transaction is lost
    /// @throws SQLException if that cannot be found out
    boolean lost(Connection connection) throws SQLException;

    /// Brings the connection back to how it was lent, after the end of a transaction. Finds one that is open after
    /// all, and rolls it back.
    ///
    /// @param connection outside any transaction
    /// @throws SQLException if it should not be lent again
    void reset(Connection connection) throws SQLException;

    /// Whether a statement timeout of the driver waits in Java, not inside native code.
    ///
    /// @return false if it would hold a carrier thread
    boolean hasQueryTimeout();
}
