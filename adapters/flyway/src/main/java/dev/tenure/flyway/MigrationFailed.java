package dev.tenure.flyway;

/// The schema could not be brought up to date: the database does not open. The message names the script and what to
/// do.
public final class MigrationFailed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MigrationFailed(String message, Throwable cause) {
        super(message, cause);
    }
}
