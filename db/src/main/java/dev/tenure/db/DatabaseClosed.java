package dev.tenure.db;

/// The database is closing or closed and lends nothing more.
///
/// **Threads:** the caller's. **Held:** nothing. **Source:** H12.
public final class DatabaseClosed extends DatabaseException {
    private static final long serialVersionUID = 1L;

    DatabaseClosed(String message) {
        super(message, null);
    }
}
