package dev.tenure.db;

import java.sql.Connection;

/// Work on a lent connection.
///
/// **Owner:** the connection is lent for the call and must not be kept, closed or passed to another
/// thread. **Threads:** the borrower's. **Fails:** as it likes; the caller gets it. **Source:** design
/// 7.
///
/// @param <R> the result
/// @param <X> what it may throw
@FunctionalInterface
public interface SqlBody<R, X extends Exception> {
    /// Runs with the connection lent to it.
    ///
    /// @param sql the guarded connection, valid until this call returns
    /// @return the result
    /// @throws X as the work does
    R run(Connection sql) throws X;
}
