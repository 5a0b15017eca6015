package dev.tenure.db;

/// A thread other than the one it was lent to used a connection, statement or result set.
///
/// **Threads:** the stranger's; the borrower notices nothing. **Held:** the lease, by its own thread.
/// **Source:** design 7.
public final class WrongThreadLease extends DatabaseException {
    private static final long serialVersionUID = 1L;

    WrongThreadLease(String message) {
        super(message, null);
    }
}
