package dev.tenure.http.internal.netty;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import io.netty.channel.Channel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Owns every transport from the moment it surfaces until its one close has ended.
///
/// **Owner:** the server. **States:** `OPEN -> SEALED`: after the seal nothing is dispatched. **Threads:** any.
final class OpenTransports {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Timers timers;
    private final Runnable whenRetired;

    // Guarded by lock.
    private final Set<Channel> open = new HashSet<>();
    private boolean sealed;
    private long late;

    OpenTransports(Timers timers, Runnable whenRetired) {
        this.timers = timers;
        this.whenRetired = whenRetired;
    }

    /// Takes ownership, in any case.
    ///
    /// @return whether it may be dispatched; else it is to be closed
    boolean surfaced(Channel transport) {
        lock.lock();
        try {
            open.add(transport);
            if (sealed) {
                late++;
            }
            return !sealed;
        } finally {
            lock.unlock();
        }
    }

    void seal() {
        lock.lock();
        try {
            sealed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void retired(Channel transport) {
        lock.lock();
        try {
            if (!open.remove(transport)) {
                return;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        whenRetired.run();
    }

    int count() {
        lock.lock();
        try {
            return open.size();
        } finally {
            lock.unlock();
        }
    }

    long late() {
        lock.lock();
        try {
            return late;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until none is left. Whether that is for good is for the caller to know.
    ///
    /// @param deadline of the wait, read anew at each [#wake()]
    boolean awaitNone(Supplier<Deadline> deadline) throws InterruptedException {
        return await(open::isEmpty, deadline);
    }

    /// Waits for the seal.
    ///
    /// @param deadline of the wait, read anew at each [#wake()]
    boolean awaitSealed(Supplier<Deadline> deadline) throws InterruptedException {
        return await(() -> sealed, deadline);
    }

    private boolean await(BooleanSupplier condition, Supplier<Deadline> deadline) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!condition.getAsBoolean()) {
                Deadline until = deadline.get();
                if (until.passed()) {
                    return false;
                }
                var alarm = timers.at(until, this::wake);
                try {
                    changed.await();
                } finally {
                    alarm.cancel();
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Lets who waits look again.
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
