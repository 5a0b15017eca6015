package dev.tenure.db;

/// The database was closed by a thread that holds a lease of it, which would wait for itself. Nothing was closed.
public final class CloseFromLease extends DatabaseException {
    private static final long serialVersionUID = 1L;

    CloseFromLease(String message) {
        super(message, null);
    }
}
