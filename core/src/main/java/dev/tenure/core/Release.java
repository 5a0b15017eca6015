package dev.tenure.core;

/// Ends a value. Runs masked, once, and may block.
///
/// @param <T> the value's type
@FunctionalInterface
public interface Release<T> {
    /// Ends the value.
    ///
    /// @param value the value
    /// @throws Exception recorded as a failed cleanup; the value counts as ended
    void release(T value) throws Exception;
}
