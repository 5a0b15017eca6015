package dev.tenure.core;

/// Starts threads: the seam through which all threads of Tenure come into being.
///
/// **Owner:** whoever starts a thread joins it; [Scope] and [Supervisor] do so for their tasks. **Threads:** any.
/// **Source:** design 3.
public interface Threads {
    /// Starts a virtual thread.
    ///
    /// @param name for thread dumps and reports
    /// @param body what it runs
    /// @return the started thread
    Thread startVirtual(String name, Runnable body);

    /// Starts a daemon platform thread. For what must run although handlers spin: timers, coordinators, reports.
    ///
    /// @param name for thread dumps and reports
    /// @param body what it runs
    /// @return the started thread
    Thread startPlatform(String name, Runnable body);

    /// A platform thread that is not started, for `Runtime.addShutdownHook`.
    ///
    /// @param name for thread dumps and reports
    /// @param body what it will run
    /// @return the thread
    Thread unstartedPlatform(String name, Runnable body);

    /// The threads of this JVM.
    ///
    /// @return the shared instance
    static Threads system() {
        return SystemThreads.INSTANCE;
    }
}
