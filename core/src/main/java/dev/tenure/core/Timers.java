package dev.tenure.core;

/// Runs a short task at a deadline.
///
/// **Owner:** the process for [#system()], a test for its fake clock. **Ends:** an alarm ends when it ran or was
/// cancelled;
/// a cancelled alarm is removed at once and keeps nothing reachable. **Threads:** tasks run on one platform thread, so
/// that handlers which spin cannot hold a timer up; they must be short and never block. The thread ends 50 ms after the
/// last alarm. **Source:** design 3.
public interface Timers {
    /// Runs the task once the deadline has passed; never before.
    ///
    /// @param when the deadline; [Deadline#none()] gives an alarm that never rings
    /// @param task short, must not block
    /// @return the alarm, to cancel it
    Alarm at(Deadline when, Runnable task);

    /// How many alarms wait to ring.
    ///
    /// @return the present number
    int pending();

    /// The timers of this process.
    ///
    /// @return the shared instance
    static Timers system() {
        return SystemTimers.INSTANCE;
    }

    /// The timers that belong to a clock: itself if it is both, as a fake clock is, else the system's.
    ///
    /// @param source the clock
    /// @return its timers
    static Timers of(TimeSource source) {
        return source instanceof Timers timers ? timers : system();
    }

    /// One armed task.
    ///
    /// **Owner:** whoever armed it. **Ends:** when it rang or was cancelled. **Threads:** any.
    interface Alarm {
        /// Cancels the task. Does not wait for one that is running.
        ///
        /// @return whether this call kept it from running
        boolean cancel();
    }
}
