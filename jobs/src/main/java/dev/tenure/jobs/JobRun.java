package dev.tenure.jobs;

import dev.tenure.core.Probe;
import dev.tenure.db.Transaction;
import dev.tenure.jobs.internal.table.ClaimedJob;
import dev.tenure.jobs.internal.table.JobTable;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// One attempt of one job: its claim, and its completion.
///
/// **Owner:** the handler it was given to. **Ends:** when the handler returns; without [#complete] the
/// worker then completes the job in a transaction of its own. **States:** `OPEN -> IN_TRANSACTION ->
/// COMPLETED`, back to `OPEN` if the transaction rolled back. **Threads:** the handler's, and any it
/// hands it to. **Fails:** [Fenced] once the claim is lost, so that the transaction rolls back.
/// **Source:** ADR-0040.
public final class JobRun {
    /// What is known of a completion inside a transaction of the handler.
    enum Completion {
        NONE,
        PENDING,
        COMMITTED,
        UNKNOWN
    }

    private final ClaimedJob job;
    private final JobPolicy policy;
    private final Ticks ticks;
    private final BooleanSupplier stopping;

    /// Written by the thread that ends the transaction, read by the worker.
    private volatile Completion completion = Completion.NONE;

    JobRun(ClaimedJob job, JobPolicy policy, Ticks ticks, BooleanSupplier stopping) {
        this.job = job;
        this.policy = policy;
        this.ticks = ticks;
        this.stopping = stopping;
    }

    /// The job's number: the same in each attempt, never used for another job.
    ///
    /// @return the number
    public long id() {
        return job.id();
    }

    /// The name of the job's type.
    ///
    /// @return the name
    public String type() {
        return job.type();
    }

    /// The job's unique key.
    ///
    /// @return empty if it has none
    public Optional<String> uniqueKey() {
        return job.key();
    }

    /// Which attempt this is.
    ///
    /// @return from 1
    public int attempt() {
        return job.attempt();
    }

    /// Whether the job is dead if this attempt fails.
    ///
    /// @return true in the last attempt
    public boolean isLast() {
        return job.attempt() >= policy.attemptsMax();
    }

    /// The token of this claim: larger than that of every earlier claim of any job in this table. A
    /// store that remembers the largest token it has seen can refuse a worker that lost its claim.
    ///
    /// @return the token
    public long fence() {
        return job.fence();
    }

    /// Whether the worker has begun to stop; the attempt is cancelled when its type's `stopGrace` is
    /// over.
    ///
    /// @return true from the begin of the drain on
    public boolean stopping() {
        return stopping.getAsBoolean();
    }

    /// Throws unless this attempt still holds its claim, and keeps it from being taken over until the
    /// transaction ends.
    ///
    /// @param tx the handler's transaction
    /// @throws SQLException as the database does
    public void checkFence(Transaction tx) throws SQLException {
        if (!JobTable.renew(tx.connection(), job, ticks.now())) {
            throw fenced();
        }
    }

    /// Completes the job in the handler's transaction: what else this transaction writes becomes
    /// visible with it, exactly once, or not at all. Does not end the handler.
    ///
    /// @param tx the handler's transaction
    /// @throws SQLException as the database does
    public void complete(Transaction tx) throws SQLException {
        if (completion != Completion.NONE) {
            throw new IllegalStateException(job.type() + " job #" + job.id() + " is completed already: " + completion);
        }
        Probe.before("complete", "job");
        if (!JobTable.complete(tx.connection(), job.id(), job.fence())) {
            throw fenced();
        }
        completion = Completion.PENDING;
        tx.onOutcome(end -> completion = switch (end) {
            case COMMITTED -> Completion.COMMITTED;
            case ROLLED_BACK -> Completion.NONE;
            case UNKNOWN -> Completion.UNKNOWN;
        });
        Probe.after("complete", "job");
    }

    Completion completion() {
        return completion;
    }

    private Fenced fenced() {
        return new Fenced("""
                %s job #%d: attempt %d holds fence %d no more: it was cancelled, or taken over because its \
                heartbeats failed; nothing of this transaction \
                may be kept""".formatted(job.type(), job.id(), job.attempt(), job.fence()));
    }
}
