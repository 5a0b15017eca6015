package dev.tenure.core;

/// An opener that registers with the current scope was called outside any scope.
public final class NoScope extends OwnershipException {
    private static final long serialVersionUID = 1L;

    NoScope(String message) {
        super(message);
    }
}
