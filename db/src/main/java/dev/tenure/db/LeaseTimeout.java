package dev.tenure.db;

/// No connection came free in time. The place in the queue was given back.
public final class LeaseTimeout extends DatabaseException {
    private static final long serialVersionUID = 1L;

    LeaseTimeout(String message) {
        super(message, null);
    }
}
