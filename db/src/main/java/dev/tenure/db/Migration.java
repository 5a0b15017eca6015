package dev.tenure.db;

import javax.sql.DataSource;

/// Brings the schema up to date, before anybody can borrow.
///
/// **Owner:** the opening: connections that the step leaves open are closed after it. **Threads:** the
/// opening's. **Fails:** what it throws is thrown by the opening, and nothing stays open. **Source:**
/// ADR-0023.
@FunctionalInterface
public interface Migration {
    /// Migrates. Runs once, while the database opens.
    ///
    /// @param dataSource connections of their own, beside the pool; each is closed by who opened it
    /// @throws Exception keeps the database from opening; must leave nothing half done
    void migrate(DataSource dataSource) throws Exception;
}
