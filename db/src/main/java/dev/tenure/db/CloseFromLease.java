package dev.tenure.db;

/// The database was closed by a thread that holds a lease of it, which would wait for itself. Nothing
/// was closed.
///
/// **Threads:** the borrower's. **Held:** the lease, as before. **Source:** design 7.
public final class CloseFromLease extends DatabaseException {
    private static final long serialVersionUID = 1L;

    CloseFromLease(String message) {
        super(message, null);
    }
}
