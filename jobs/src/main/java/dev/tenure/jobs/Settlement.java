package dev.tenure.jobs;

import dev.tenure.core.Outcome;
import dev.tenure.core.Probe;
import dev.tenure.core.Reason;
import dev.tenure.db.CommitOutcome;
import dev.tenure.jobs.internal.table.ClaimedJob;
import dev.tenure.jobs.internal.table.JobTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// Writes how a run ended: done, to be tried again, dead, or given back.
///
/// **Threads:** any, none of them cancelled. **Limits:** tries each write 5 times within about 1.5 s; what cannot be
/// written stays claimed until the worker sets it free.
final class Settlement {
    private static final int WRITES_MAX = 5;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private final Writes writes;
    private final Ticks ticks;
    private final Counters counters;
    private final long seed;

    Settlement(Writes writes, Ticks ticks, Counters counters, long seed) {
        this.writes = writes;
        this.ticks = ticks;
        this.counters = counters;
        this.seed = seed;
    }

    /// Returns false if the end could not be written: the claim still stands.
    boolean settle(Running running, Outcome<String> outcome) {
        return switch (running.run().completion()) {
            case COMMITTED -> completed();
            case UNKNOWN, PENDING -> ask(running);
            case NONE -> uncompleted(running, outcome);
        };
    }

    /// Gives a job back that was never started.
    boolean release(ClaimedJob job) {
        var released = write("release of job #" + job.id(), sql -> JobTable.release(sql, job));
        released.ifPresent(mine -> (mine ? counters.released() : counters.lost()).increment());
        return released.isPresent();
    }

    private boolean uncompleted(Running running, Outcome<String> outcome) {
        return switch (outcome) {
            case Outcome.Success<String> _ -> complete(running.job());
            case Outcome.Failed<String>(Throwable primary) -> failed(running, primary.toString());
            case Outcome.CancelledOut<String>(Reason reason) -> failed(running, "cancelled: " + reason);
            case Outcome.Pending<String> _ -> false;
        };
    }

    /// The handler's own transaction has completed the job: how the handler ended after that changes nothing.
    private boolean completed() {
        counters.finished().increment();
        return true;
    }

    /// Nobody knows whether the completing transaction was committed: its row tells.
    private boolean ask(Running running) {
        var job = running.job();
        var there = write("state of job #" + job.id(), sql -> JobTable.renew(sql, job, ticks.now()));
        if (there.isEmpty()) {
            return false;
        }
        return there.get() ? failed(running, "the commit that completed it did not take place") : completed();
    }

    private boolean complete(ClaimedJob job) {
        var done = Probe.around(
                "complete",
                "job",
                () -> write("completion of job #" + job.id(), sql -> JobTable.complete(sql, job.id(), job.fence())));
        done.ifPresent(mine -> (mine ? counters.finished() : counters.lost()).increment());
        return done.isPresent();
    }

    private boolean failed(Running running, String error) {
        var job = running.job();
        if (running.cancelled()
                .filter(reason -> reason.kind() == Reason.Kind.STOP)
                .isPresent()) {
            return release(job);
        }
        if (running.run().isLast()) {
            var buried = write("burial of job #" + job.id(), sql -> JobTable.bury(sql, job, error));
            buried.ifPresent(mine -> (mine ? counters.dead() : counters.lost()).increment());
            return buried.isPresent();
        }
        Instant due = ticks.now().plus(running.policy().backoff().after(job.attempt(), seed ^ job.id()));
        var retried = write("retry of job #" + job.id(), sql -> JobTable.retry(sql, job, due, error));
        retried.ifPresent(mine -> (mine ? counters.retried() : counters.lost()).increment());
        return retried.isPresent();
    }

    /// Whether the claim was still held; empty if the write failed again and again. A row that an unknown
    /// commit may have changed already counts as changed by us.
    private Optional<Boolean> write(String what, Statement statement) {
        boolean unknown = false;
        Duration pause = FIRST_PAUSE;
        for (int write = 1; ; write++) {
            CommitOutcome<Boolean> outcome = writes.run(tx -> statement.on(tx.connection()));
            if (outcome instanceof CommitOutcome.Committed<Boolean>(Boolean mine)) {
                return Optional.of(mine || unknown);
            }
            unknown |= outcome.end() == CommitOutcome.End.UNKNOWN;
            if (write == WRITES_MAX) {
                ticks.observer().failed(what + ", " + write + " times", Writes.failure(outcome));
                return Optional.empty();
            }
            ticks.pause(pause);
            pause = pause.multipliedBy(2);
        }
    }

    @FunctionalInterface
    private interface Statement {
        boolean on(Connection sql) throws SQLException;
    }
}
