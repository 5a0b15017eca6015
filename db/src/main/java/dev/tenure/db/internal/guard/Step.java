package dev.tenure.db.internal.guard;

import java.sql.SQLException;

/// One call of the driver.
///
/// @param <R> the result
@FunctionalInterface
interface Step<R> {
    /// Calls the driver.
    R run() throws SQLException;
}
