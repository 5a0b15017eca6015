package dev.tenure.jobs;

/// What the jobs module throws of its own.
///
/// **Threads:** any. **Fails:** see the subclasses.
/// **Held:** nothing. **Source:** docs/reference/errors.md.
public abstract sealed class JobsException extends RuntimeException permits Fenced, JobTableMismatch {
    private static final long serialVersionUID = 1L;

    JobsException(String message) {
        super(message);
    }
}
