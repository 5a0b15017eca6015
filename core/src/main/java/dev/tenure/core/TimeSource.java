package dev.tenure.core;

import java.time.Instant;

/// A clock: monotonic nanoseconds for waiting, wall-clock time for what people read.
///
/// **Threads:** any. **Source:** design 3; the one place beside [Timers] and [Threads] that may read a real clock.
public interface TimeSource {
    /// Monotonic nanoseconds from an arbitrary origin; only differences mean anything, and they may overflow.
    ///
    /// @return the present reading
    long nanos();

    /// The wall clock.
    ///
    /// @return the present instant
    Instant now();

    /// The clock of this machine.
    ///
    /// @return the shared instance
    static TimeSource system() {
        return SystemTime.INSTANCE;
    }
}
