package dev.tenure.db;

/// A thread that holds a lease asked the same database for another one, which could wait for itself.
///
/// **Threads:** the borrower's. **Held:** the first lease, as before. **Source:** design 7.
public final class NestedLease extends DatabaseException {
    private static final long serialVersionUID = 1L;

    NestedLease(String message) {
        super(message, null);
    }
}
