package dev.tenure.core;

/// The application's ear: called inline, must be short and never block, sees values only and owns nothing. What it
/// throws
/// is isolated and counted, never passed on.
///
/// **Threads:** any.
public interface Observer {
    /// Something failed that no caller will be told of.
    ///
    /// @param owner the owner's name
    /// @param failure what happened
    default void failed(String owner, Throwable failure) {}

    /// A close ended its wait before everything had ended; the owner still owns and goes on waiting.
    ///
    /// @param report what is pending
    default void overdue(CloseReport report) {}

    /// An observer that ignores everything.
    ///
    /// @return the shared instance
    static Observer none() {
        return Silent.INSTANCE;
    }
}
