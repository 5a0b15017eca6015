package dev.tenure.jobs;

/// The job table was made by a newer version of this module.
///
/// **Threads:** any. **Ends:** by running that version, or moving the database away.
public final class JobTableMismatch extends JobsException {
    private static final long serialVersionUID = 1L;

    JobTableMismatch(String message) {
        super(message);
    }
}
