package dev.tenure.db;

/// A rollback was not confirmed. COMMIT was never sent and the connection is closed, which ends its
/// transaction; the cause is what the driver said, and the failure for which it was to be rolled back
/// is suppressed.
///
/// **Threads:** the caller's. **Held:** nothing. **Source:** L25, Law 9.
public final class RollbackFailed extends DatabaseException {
    private static final long serialVersionUID = 1L;

    RollbackFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
