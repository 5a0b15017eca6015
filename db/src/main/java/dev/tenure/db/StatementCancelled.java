package dev.tenure.db;

/// A statement was ended by a forced stop, or by a cancel that reached a thread inside a mask.
public final class StatementCancelled extends DatabaseException {
    private static final long serialVersionUID = 1L;

    StatementCancelled(String message) {
        super(message, null);
    }
}
