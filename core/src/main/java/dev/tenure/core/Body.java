package dev.tenure.core;

/// Code that runs with something lent to it.
///
/// @param <R> its result
/// @param <X> what it may throw
@FunctionalInterface
public interface Body<R, X extends Exception> {
    /// Runs.
    ///
    /// @return the result
    /// @throws X as the code says
    R run() throws X;
}
