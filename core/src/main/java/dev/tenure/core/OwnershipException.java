package dev.tenure.core;

/// The family of the core's errors; each message says who, what, with which numbers, and what to do.
public abstract sealed class OwnershipException extends RuntimeException
        permits AdmissionClosed,
                CloseFailure,
                Permits.Busy,
                Permits.WaitTimeout,
                StaleHandle,
                Staged.NotPublished,
                Scope.NoScope,
                Scope.WrongThread {
    private static final long serialVersionUID = 1L;

    OwnershipException(String message) {
        super(message);
    }
}
