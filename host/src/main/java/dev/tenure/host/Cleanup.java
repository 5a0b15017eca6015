package dev.tenure.host;

/// Ends something at the end of an [Activity] or of the process.
///
/// It runs once, alone, protected from cancellation, and is awaited; what it throws is recorded and
/// never stops the next.
///
/// **Owner:** the activity or host it was registered with. **Ends:** by its return. **Threads:** the
/// one that closes the activity; for the process a platform thread of its own. **Source:** S5, S6.
@FunctionalInterface
public interface Cleanup {
    /// Runs.
    ///
    /// @throws Exception is recorded
    void run() throws Exception;
}
