package dev.tenure.core;

/// The application's ear: called inline, must be short and never block, sees values only and owns
/// nothing. What it throws is isolated, counted and never passed on: [#isolatedFailures()].
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

    /// A release that had failed was tried again; it was the last attempt.
    ///
    /// @param resource the kind of resource
    /// @param first what the first attempt threw
    /// @param ended whether the second succeeded
    default void retried(String resource, Throwable first, boolean ended) {}

    /// A task was handed from its scope to a supervisor, which joins it from now on.
    ///
    /// @param task the task's name
    /// @param supervisor the new owner's name
    /// @param event why, as the caller said
    default void detached(String task, String supervisor, String event) {}

    /// A scope became unreachable without having been closed; only sampled scopes are reported, by
    /// [Tracing#leaks(int)].
    ///
    /// @param leak what is known of it
    default void leaked(Tracing.Leak leak) {}

    /// How often observers of this process threw; each failure was isolated where it happened.
    ///
    /// @return the count since the process began
    static long isolatedFailures() {
        return Isolated.count();
    }

    /// The same observer, with what it throws isolated and counted.
    ///
    /// @param observer the application's
    /// @return tells it everything and throws nothing
    static Observer isolating(Observer observer) {
        return Isolated.of(observer);
    }

    /// An observer that ignores everything.
    ///
    /// @return the shared instance
    static Observer none() {
        return Silent.INSTANCE;
    }
}
