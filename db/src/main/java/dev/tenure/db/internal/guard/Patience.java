package dev.tenure.db.internal.guard;

import dev.tenure.core.Deadline;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.time.Duration;

/// How long a call waits for a lock that another process has, and how often a cancel is repeated.
///
/// @param lockTimeout the longest wait, in Java, for a lock
/// @param timeSource measures it
/// @param timers repeat a statement's cancel until the statement has ended
public record Patience(Duration lockTimeout, TimeSource timeSource, Timers timers) {
    /// A cancel that meets a statement which has not yet begun in the driver is lost, so it is sent again after this
    /// pause, which doubles up to the longest, until the statement has ended; after so many, 15 s later,
    /// that is told.
    static final Duration CANCEL_AGAIN = Duration.ofMillis(10);

    static final Duration CANCEL_AGAIN_MAX = Duration.ofSeconds(1);

    static final int CANCELS_BEFORE_TELLING = 20;

    /// How long the end of a call waits for a cancel that the driver has not returned from.
    static final Duration CANCEL_RETURNS = Duration.ofSeconds(1);

    /// How long a statement may take that was begun after a cancel which the borrower may not know of.
    static final Duration CALL_AFTER_CANCEL = Duration.ofMillis(200);

    /// The first and the longest pause between two tries for a lock.
    static final Duration LOCK_PAUSE = Duration.ofMillis(1);

    static final Duration LOCK_PAUSE_MAX = Duration.ofMillis(20);

    /// When a cancel that was repeated so often is due again.
    Deadline again(int repeats) {
        int doublings = Math.min(repeats, 7);
        Duration pause = CANCEL_AGAIN.multipliedBy(1L << doublings);
        return Deadline.in(pause.compareTo(CANCEL_AGAIN_MAX) < 0 ? pause : CANCEL_AGAIN_MAX, timeSource);
    }
}
