package dev.tenure.core;

/// Produces a value that must end.
///
/// @param <T> the value's type
/// @param <X> what producing it may throw
@FunctionalInterface
public interface Acquire<T, X extends Exception> {
    /// Produces the value; on an exception there is none.
    ///
    /// @return the value
    /// @throws X if there is no value
    T acquire() throws X;
}
