package dev.tenure.testkit;

/// What a sweep does at a point. Most strike once, at every point where they mean something.
///
/// **Source:** ownership 5.3.
public enum Fault {
    /// Cancels the innermost scope of the thread that reached the point.
    CANCEL,
    /// Cancels the outermost scope around it, across tasks.
    CANCEL_OUTER,
    /// Interrupts the thread, as a third party would.
    INTERRUPT,
    /// Throws an `IOException` where the code around the point may throw one.
    THROW_CHECKED,
    /// Throws a `RuntimeException`.
    THROW_RUNTIME,
    /// Throws an `Error`.
    THROW_ERROR,
    /// Throws an `OutOfMemoryError`.
    OOM,
    /// Moves the virtual clock to the next alarm, which rings on a thread of its own.
    DEADLINE,
    /// Another thread asks the owner to close: a scope is cancelled for it, a supervisor sealed and
    /// cancelled.
    CLOSE,
    /// Another thread ends the newest handle of the innermost scope.
    FOREIGN_RELEASE,
    /// The taker of a move closes just before it; a fake refuses what it is asked for.
    REFUSE,
    /// A release takes a minute of virtual time.
    HANG,
    /// An acquisition notices nothing of a cancel and returns its value after it.
    LATE,
    /// A publish or commit takes effect, and then throws.
    UNKNOWN
}
