package dev.tenure.core;

/// The authority to cancel, apart from ownership and apart from the authority to close.
///
/// **Threads:** any. Cancelling asks and never waits; it runs down the tree of scopes and tasks, never up.
@FunctionalInterface
public interface Canceller {
    /// Asks for the end.
    ///
    /// @param reason why
    /// @return false if it was cancelled before, or has ended; the first reason stays
    boolean cancel(Reason reason);
}
