package dev.tenure.blobs;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.Deadline;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.time.Duration;

/// Runs the reclaimer at once and then again and again, each run a task of its own; the pause counts from the end
/// of a run.
final class ReclaimSchedule {
    private final Supervisor tasks;
    private final TimeSource clock;
    private final Timers timers;
    private final Duration period;
    private final Runnable run;
    // Guarded by this.
    private boolean stopped;
    private Timers.Alarm alarm = () -> false;

    ReclaimSchedule(Supervisor tasks, Seams seams, Duration period, Runnable run) {
        this.tasks = tasks;
        this.clock = seams.clock();
        this.timers = seams.timers();
        this.period = period;
        this.run = run;
    }

    void start() {
        fork();
    }

    private synchronized void fork() {
        if (stopped) {
            return;
        }
        try {
            tasks.fork("reclaim", this::runThenWait);
        } catch (AdmissionClosed closing) {
            stopped = true;
        }
    }

    private Boolean runThenWait() {
        try {
            run.run();
            return true;
        } finally {
            arm();
        }
    }

    private synchronized void arm() {
        if (!stopped) {
            alarm = timers.at(Deadline.in(period, clock), this::fork);
        }
    }

    /// Starts no further run and cancels the present one; does not wait for it.
    synchronized void stop() {
        stopped = true;
        alarm.cancel();
        tasks.seal();
        tasks.cancelAll(Reason.of(Reason.Kind.STOP, "the stop of the process"));
    }
}
