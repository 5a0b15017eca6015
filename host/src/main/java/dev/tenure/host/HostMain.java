package dev.tenure.host;

/// The program that [Host#exitCode] runs.
///
/// **Threads:** the one that calls. **Fails:** as the exit codes of [Host#exitCode] say. **Source:**
/// design 4.
@FunctionalInterface
public interface HostMain {
    /// Starts a host, waits for its stop and returns its report.
    ///
    /// @return the report of [Host#awaitStop]
    /// @throws Exception ends the program with code 70; a [ConfigurationError] with 2
    ShutdownReport run() throws Exception;
}
