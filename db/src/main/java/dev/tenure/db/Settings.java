package dev.tenure.db;

import dev.tenure.core.Observer;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.db.internal.guard.Patience;
import java.time.Duration;

/// What a database runs with.
///
/// @param name for reports
/// @param leaseTimeout the longest wait for a connection
/// @param abortHeld whether a close that ran out of time takes the connections away from who still uses them
/// @param patience waits inside a lease
/// @param observer told of what no caller is told
record Settings(String name, Duration leaseTimeout, boolean abortHeld, Patience patience, Observer observer) {
    TimeSource timeSource() {
        return patience.timeSource();
    }

    Timers timers() {
        return patience.timers();
    }
}
