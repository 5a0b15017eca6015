package dev.tenure.host.internal;

import dev.tenure.core.Deadline;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// A doorbell: whoever changed something rings, whoever waits looks again. Never interrupted, on any clock.
///
/// **Owner:** the object whose state it guards. **Threads:** any. **Limits:** on the system's clock a wait does not
/// depend on the timer thread, so that a timer task which blocks cannot hold a stop up.
public final class Bell {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition rung = lock.newCondition();
    private final Timers timers;

    /// A bell whose waits end by these timers if the deadline is not on the system's clock.
    ///
    /// @param timers the timers
    public Bell(Timers timers) {
        this.timers = timers;
    }

    /// Makes every waiter look again.
    public void ring() {
        lock.lock();
        try {
            rung.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until something is so.
    ///
    /// @param reached looked at first, and at each ring; short, called with the bell's lock held
    /// @param until the latest end of the wait
    /// @return whether it is so
    public boolean await(BooleanSupplier reached, Deadline until) {
        if (until.isNone() || until.source().equals(TimeSource.system())) {
            return look(reached, until);
        }
        var alarm = timers.at(until, this::ring);
        try {
            return look(reached, until);
        } finally {
            alarm.cancel();
        }
    }

    private boolean look(BooleanSupplier reached, Deadline until) {
        var interrupted = false;
        lock.lock();
        try {
            while (!reached.getAsBoolean()) {
                if (until.passed()) {
                    return false;
                }
                interrupted |= pause(until);
            }
            return true;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the loop is in the caller
    private boolean pause(Deadline until) {
        try {
            if (until.isNone() || !until.source().equals(TimeSource.system())) {
                rung.await();
            } else {
                rung.awaitNanos(until.remainingNanos());
            }
            return false;
        } catch (InterruptedException _) {
            return true;
        }
    }
}
