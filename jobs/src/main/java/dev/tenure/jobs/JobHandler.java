package dev.tenure.jobs;

/// Does the work of one type of job.
///
/// Runs on a virtual thread with a scope and an activity of its own; both have ended before the job counts as
/// ended. It may run more than once for one job, after a crash or a lost claim: what it writes in the
/// transaction that it gives to [JobRun#complete] happens exactly once, everything else needs an idempotency
/// key, for which [JobRun#id()] serves.
///
/// **Owner:** the worker, from the commit of the enqueue on. **Threads:** any number at once, up to the worker's bound.
/// **Fails:** an exception is an attempt: it is retried with backoff, and after the last attempt the job is dead.
///
/// @param <T> the payload
@FunctionalInterface
public interface JobHandler<T> {
    /// Runs one attempt. A cancelled one should end soon; ending normally still counts as done.
    ///
    /// @param run the attempt, its claim and its completion
    /// @param payload what the job is about
    /// @throws Exception if this attempt failed
    void run(JobRun run, T payload) throws Exception;
}
