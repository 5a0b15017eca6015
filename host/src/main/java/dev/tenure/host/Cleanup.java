package dev.tenure.host;

/// Ends something at the end of an [Activity] or of the process.
///
/// It runs once, alone, protected from cancellation, and is awaited; what it throws is recorded and never stops the
/// next.
@FunctionalInterface
public interface Cleanup {
    /// Runs.
    ///
    /// @throws Exception is recorded
    void run() throws Exception;
}
