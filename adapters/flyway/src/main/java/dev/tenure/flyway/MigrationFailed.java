package dev.tenure.flyway;

/// The schema could not be brought up to date: the database does not open. The message names the script
/// and what to do.
///
/// **Threads:** the opening's. **Held:** nothing: the database was closed again. **Source:** ADR-0023.
public final class MigrationFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MigrationFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
