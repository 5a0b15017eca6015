package dev.tenure.db;

/// So many wait for a lease already that no more may. Nothing was taken: try later.
///
/// **Threads:** the caller's. **Held:** nothing. **Limits:** `waitersMax`. **Source:** H12, ADR-0025.
public final class Busy extends DatabaseException {
    private static final long serialVersionUID = 1L;

    Busy(String message) {
        super(message, null);
    }
}
