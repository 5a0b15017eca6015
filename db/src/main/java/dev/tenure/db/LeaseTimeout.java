package dev.tenure.db;

/// No connection came free in time. The place in the queue was given back.
///
/// **Threads:** the caller's. **Held:** nothing. **Limits:** `leaseTimeout`. **Source:** ADR-0021.
public final class LeaseTimeout extends DatabaseException {
    private static final long serialVersionUID = 1L;

    LeaseTimeout(String message) {
        super(message, null);
    }
}
