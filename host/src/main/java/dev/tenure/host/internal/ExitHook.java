package dev.tenure.host.internal;

import dev.tenure.core.Threads;
import java.util.List;

/// The JVM's shutdown hook of a host: whoever calls `System.exit`, and a signal without our handler, gets the same
/// stop.
///
/// **Owner:** the host that installed it. **Ends:** with [#close()]. **Threads:** any; the hook runs on a thread
/// that the JVM starts. **Source:** design 4.
public final class ExitHook implements AutoCloseable {
    private final Thread thread;

    private ExitHook(Thread thread) {
        this.thread = thread;
    }

    /// Installs a hook.
    ///
    /// @param threads makes the hook's thread
    /// @param body runs while the JVM exits
    /// @return the installation
    /// @throws IllegalStateException if the JVM is exiting already
    public static ExitHook install(Threads threads, Runnable body) {
        var thread = threads.unstartedPlatform("tenure-host-exit", body);
        Runtime.getRuntime().addShutdownHook(thread);
        return new ExitHook(thread);
    }

    /// Removes the hook. Does nothing while the JVM exits, when hooks cannot be removed any more.
    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException _) {
            // The JVM is exiting and runs, or has run, this hook.
        }
    }

    /// Whether a thread waits inside `Runtime.exit` for the hooks to end: it will never come back.
    ///
    /// @param stack the thread's stack
    /// @return true if it called exit, directly or not
    public static boolean isExiting(List<StackTraceElement> stack) {
        return stack.stream().anyMatch(ExitHook::isExit);
    }

    private static boolean isExit(StackTraceElement frame) {
        var type = frame.getClassName();
        return type.equals("java.lang.Shutdown")
                || (type.equals("java.lang.Runtime") && frame.getMethodName().equals("exit"));
    }
}
