package dev.tenure.testkit.internal.engine;

import dev.tenure.core.Deadline;
import java.util.OptionalLong;

/// The virtual clock of a run, moved when all wait.
public interface Clock {
    /// Its reading.
    ///
    /// @return nanoseconds, to be compared by difference
    long nanos();

    /// When the next alarm rings.
    ///
    /// @return nanoseconds from now; empty if none is armed
    OptionalLong untilNextAlarm();

    /// Moves the clock and rings what is due.
    ///
    /// @param nanos how far
    void advance(long nanos);

    /// Whether a deadline is on this clock.
    ///
    /// @param deadline the deadline
    /// @return false for other clocks
    boolean owns(Deadline deadline);
}
