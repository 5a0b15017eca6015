package dev.tenure.jobs;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A bell for one waiting thread: raised by anybody, also before the wait, and by the alarm of the wait itself.
///
/// **Threads:** one waits, any raise. Interrupts do not end the wait.
final class Signal {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /// Guarded by lock.
    private boolean raised;

    void raise() {
        lock.lock();
        try {
            raised = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until raised since the last wait, or until the deadline.
    void await(Deadline until, Timers timers) {
        if (until.passed()) {
            return;
        }
        var alarm = timers.at(until, this::raise);
        lock.lock();
        try {
            while (!raised) {
                changed.awaitUninterruptibly();
            }
            raised = false;
        } finally {
            lock.unlock();
            alarm.cancel();
        }
    }
}
