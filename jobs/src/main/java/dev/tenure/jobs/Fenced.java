package dev.tenure.jobs;

/// The claim of a run is gone: another worker took it over after its heartbeats failed, or the job was
/// cancelled.
///
/// Thrown inside the run's transaction, so that the transaction rolls back and nothing of the run
/// becomes visible.
///
/// **Threads:** any.
/// **Held:** the run, until its handler returns; the claim is another's. **Source:** design 7, ADR-0040.
public final class Fenced extends JobsException {
    private static final long serialVersionUID = 1L;

    Fenced(String message) {
        super(message);
    }
}
