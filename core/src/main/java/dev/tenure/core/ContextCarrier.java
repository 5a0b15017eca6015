package dev.tenure.core;

/// Carries what a thread knows, such as a logging context or a trace, over to the tasks it forks.
///
/// Give it to [Supervisor.Options#carrying], or provide it through `ServiceLoader`: then every task of
/// the process has it.
///
/// **Threads:** any. **Fails:** what a carrier throws in [#capture()] fails the fork; in the task it
/// fails the task.
@FunctionalInterface
public interface ContextCarrier {
    /// Takes a picture of the calling thread's context; called by whoever forks.
    ///
    /// @return the picture
    Captured capture();

    /// A picture of a context.
    @FunctionalInterface
    interface Captured {
        /// Puts the context in force on the calling thread; called by the task's thread before its body.
        ///
        /// @return takes it out of force; called by the same thread when the body has returned and its
        /// scope closed
        Installed install();
    }

    /// A context in force.
    @FunctionalInterface
    interface Installed extends AutoCloseable {
        /// Takes the context out of force.
        @Override
        void close();
    }
}
