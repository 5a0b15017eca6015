package dev.tenure.core;

/// A confined scope was used by a thread other than the one that opened it. What was passed in has been released.
public final class WrongThread extends OwnershipException {
    private static final long serialVersionUID = 1L;

    WrongThread(String message) {
        super(message);
    }
}
