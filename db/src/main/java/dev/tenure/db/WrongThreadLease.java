package dev.tenure.db;

/// A thread other than the one it was lent to used a connection, statement or result set.
public final class WrongThreadLease extends DatabaseException {
    private static final long serialVersionUID = 1L;

    WrongThreadLease(String message) {
        super(message, null);
    }
}
