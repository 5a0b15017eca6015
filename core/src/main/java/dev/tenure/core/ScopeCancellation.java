package dev.tenure.core;

import java.util.Optional;

/// The view of a scope's cancellation.
record ScopeCancellation(Scope scope) implements ExecutionCancellation {
    @Override
    public boolean isCancelled() {
        return scope.cancelled().isPresent();
    }

    @Override
    public Optional<Reason> reason() {
        return scope.cancelled();
    }
}
