package dev.tenure.core;

import java.util.Optional;

/// A read-only view of whether some execution was cancelled. It cannot cancel, and converts to nothing.
///
/// **Threads:** any.
public interface ExecutionCancellation {
    /// Whether it was cancelled.
    ///
    /// @return true from the first cancel on
    boolean isCancelled();

    /// Why it was cancelled.
    ///
    /// @return empty while it was not
    Optional<Reason> reason();
}
