package dev.tenure.jobs;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.core.Timers;
import dev.tenure.host.Activity;
import dev.tenure.jobs.internal.table.ClaimedJob;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One claimed job between its claim and its settlement.
///
/// **Owner:** the worker's table of running jobs. **Ends:** when its end is written, or given up.
/// **States:** `CLAIMED -> HANDLED -> SETTLED`; being told to stop is apart from that and sticks.
/// **Threads:** handled on a task of its own, settled on the one that waits for it, told to stop by any.
final class Running {
    private final ClaimedJob job;
    private final Registration<?> registration;
    private final JobRun run;
    private final Ticks ticks;
    private final long startedNanos;
    private final ReentrantLock lock = new ReentrantLock();

    /// Guarded by lock.
    private @Nullable Task<String> task;

    /// Guarded by lock: the first reason to end early.
    private @Nullable Reason reason;

    /// Guarded by lock.
    private long cancelledNanos;

    /// Guarded by lock: what cancels it when its grace at a stop is over.
    private Timers.@Nullable Alarm grace;

    /// Guarded by lock.
    private boolean over;

    /// Written and read by the worker's thread: what waits for the handler, and settles.
    private @Nullable Task<Boolean> waiter;

    Running(ClaimedJob job, Registration<?> registration, JobRun run, Ticks ticks) {
        this.job = job;
        this.registration = registration;
        this.run = run;
        this.ticks = ticks;
        this.startedNanos = ticks.time().nanos();
    }

    ClaimedJob job() {
        return job;
    }

    JobRun run() {
        return run;
    }

    JobPolicy policy() {
        return registration.policy();
    }

    String label() {
        return "job " + job.type() + " #" + job.id();
    }

    void awaitedBy(Task<Boolean> task) {
        waiter = task;
    }

    /// Whether its waiting task is over although it is still in the table: it failed before it ran.
    boolean neverBegan() {
        Task<Boolean> known = waiter;
        if (known == null || !known.isDone()) {
            return false;
        }
        end();
        return true;
    }

    /// Runs the handler in a task of the supervisor and waits until that has ended, whatever it takes.
    Outcome<String> handle(Supervisor handlers) {
        var early = cancelled();
        if (early.isPresent()) {
            return new Outcome.CancelledOut<>(early.get());
        }
        var started = handlers.fork(label(), this::body);
        began(started).ifPresent(started::cancel);
        return started.join();
    }

    /// The reason, if somebody asked it to end while it was being forked.
    private Optional<Reason> began(Task<String> started) {
        lock.lock();
        try {
            task = started;
            return Optional.ofNullable(reason);
        } finally {
            lock.unlock();
        }
    }

    private String body() throws Exception {
        try (var _ = Scope.open(label(), ticks.in(registration.policy().runMax()))) {
            var activity = ticks.activities().apply(label());
            try {
                return activity.run(_ -> {
                    registration.call(run, job.payload());
                    return label();
                });
            } finally {
                end(activity);
            }
        }
    }

    /// The run has ended when its activity has, also when background work of it outlives the time of a stop.
    private void end(Activity activity) {
        var ended = new CountDownLatch(1);
        activity.cleanup("end of " + label(), ended::countDown);
        var report = activity.close(Deadline.none());
        report.failures().forEach(each -> ticks.observer().failed(each.what(), each.failure()));
        if (report.status() == CloseReport.Status.OVERDUE) {
            awaitShielded(ended);
        }
    }

    private static void awaitShielded(CountDownLatch ended) {
        Scope.shielded(() -> {
            while (ended.getCount() > 0) {
                try {
                    ended.await();
                } catch (InterruptedException _) {
                    // Not ours to obey: background work still uses what this run owns.
                }
            }
            return ended;
        });
    }

    /// Asks the handler to end. Does not wait; only the first reason counts.
    void cancel(Reason why) {
        Task<String> asked;
        lock.lock();
        try {
            if (reason != null) {
                return;
            }
            reason = why;
            cancelledNanos = ticks.time().nanos();
            asked = task;
        } finally {
            lock.unlock();
        }
        if (asked != null) {
            asked.cancel(why);
        }
    }

    Optional<Reason> cancelled() {
        lock.lock();
        try {
            return Optional.ofNullable(reason);
        } finally {
            lock.unlock();
        }
    }

    /// Lets it go on for its type's grace, at most until work in flight is cancelled anyway.
    void stop(Reason why, Deadline forceAt) {
        var end = ticks.in(registration.policy().stopGrace()).min(forceAt);
        lock.lock();
        try {
            if (!over && grace == null) {
                grace = ticks.timers().at(end, () -> cancel(why));
            }
        } finally {
            lock.unlock();
        }
    }

    /// It is settled, or given up.
    void end() {
        lock.lock();
        try {
            over = true;
            if (grace != null) {
                grace.cancel();
            }
        } finally {
            lock.unlock();
        }
    }

    Holder holder() {
        lock.lock();
        try {
            long now = ticks.time().nanos();
            Optional<Duration> ago =
                    reason == null ? Optional.empty() : Optional.of(Duration.ofNanos(now - cancelledNanos));
            List<StackTraceElement> stack =
                    task == null ? List.of() : task.holder().stack();
            String what = label() + ", attempt " + job.attempt() + ", fence " + job.fence();
            return new Holder(what, registration.site(), Duration.ofNanos(now - startedNanos), ago, stack);
        } finally {
            lock.unlock();
        }
    }
}
