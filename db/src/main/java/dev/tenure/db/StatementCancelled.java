package dev.tenure.db;

/// A statement was ended by a forced stop, or by a cancel that reached a thread inside a mask.
///
/// **Threads:** the borrower's. **Held:** the lease; statements opened from now on work. **Source:**
/// ADR-0024.
public final class StatementCancelled extends DatabaseException {
    private static final long serialVersionUID = 1L;

    StatementCancelled(String message) {
        super(message, null);
    }
}
