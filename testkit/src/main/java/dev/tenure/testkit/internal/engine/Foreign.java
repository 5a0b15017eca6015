package dev.tenure.testkit.internal.engine;

import dev.tenure.core.Deadline;
import java.util.concurrent.locks.LockSupport;

/// Waits in real time for what no controlled thread can bring: a thread outside the run, or a deadline
/// of the system's clock.
final class Foreign {
    private static final int PATIENCE = 200;
    private static final long PAUSE_NANOS = 100_000;

    private Foreign() {}

    /// Waits a little.
    ///
    /// @return false if that was done often enough
    static boolean waited(int look, Actor[] actors) {
        long nearest = Long.MAX_VALUE;
        for (Actor actor : actors) {
            Deadline deadline = actor.deadline;
            if (!actor.done && actor.isBlocked() && !deadline.isNone()) {
                nearest = Math.min(nearest, deadline.remainingNanos());
            }
        }
        if (nearest == Long.MAX_VALUE && look >= PATIENCE) {
            return false;
        }
        boolean interrupted = Thread.interrupted();
        LockSupport.parkNanos(Math.min(PAUSE_NANOS, Math.max(1, nearest)));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
