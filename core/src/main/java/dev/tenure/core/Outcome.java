package dev.tenure.core;

/// How a task ended, or that it has not yet.
///
/// @param <T> the task's result
public sealed interface Outcome<T> {
    /// The body returned. A value that was produced is kept although a cancel came first (Law 6).
    ///
    /// @param <T> the result
    /// @param value the result
    /// @param cancelledLate whether a cancel was pending when the body returned
    record Success<T>(T value, boolean cancelledLate) implements Outcome<T> {}

    /// The body or its cleanup threw.
    ///
    /// @param <T> the result
    /// @param primary the first failure; cleanup failures are suppressed in it
    record Failed<T>(Throwable primary) implements Outcome<T> {}

    /// The task was cancelled and came to its end.
    ///
    /// @param <T> the result
    /// @param reason the first reason
    record CancelledOut<T>(Reason reason) implements Outcome<T> {}

    /// The wait ended; the task goes on. Giving up the wait is not cancelling the work.
    ///
    /// @param <T> the result
    record Pending<T>() implements Outcome<T> {}
}
