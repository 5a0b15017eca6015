package dev.tenure.blobs;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/// Who uses the store now: what a close waits for, what a report names, and what the reclaimer leaves alone.
final class Uses {
    private final TimeSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Map<Object, Use> live = new HashMap<>();
    private boolean sealed;

    Uses(TimeSource clock) {
        this.clock = clock;
    }

    private record Use(String what, String where, Thread thread, long sinceNanos, BooleanSupplier ended) {}

    /// Lets no new user in; those that are in may go on.
    void seal() {
        lock.lock();
        try {
            sealed = true;
        } finally {
            lock.unlock();
        }
    }

    /// Records a new user under a key of its own.
    ///
    /// @return false if no new user is let in any more
    boolean admit(Object key, String what, String where) {
        lock.lock();
        try {
            return !sealed && enter(key, what, where);
        } finally {
            lock.unlock();
        }
    }

    /// Records what a user that is in already goes on with.
    ///
    /// @return false if there is one under that key
    boolean enter(Object key, String what, String where) {
        var use = new Use(what, where, Thread.currentThread(), clock.nanos(), () -> false);
        lock.lock();
        try {
            return live.putIfAbsent(key, use) == null;
        } finally {
            lock.unlock();
        }
    }

    /// Says how to see that a user has ended without having said so.
    void endsWhen(Object key, BooleanSupplier ended) {
        lock.lock();
        try {
            live.computeIfPresent(key, (_, use) -> new Use(use.what, use.where, use.thread, use.sinceNanos, ended));
        } finally {
            lock.unlock();
        }
    }

    void exit(Object key) {
        lock.lock();
        try {
            live.remove(key);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isLive(Object key) {
        lock.lock();
        try {
            return Optional.ofNullable(live.get(key))
                    .filter(use -> !use.ended.getAsBoolean())
                    .isPresent();
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return countLive();
        } finally {
            lock.unlock();
        }
    }

    private int countLive() {
        live.values().removeIf(use -> use.ended.getAsBoolean());
        return live.size();
    }

    List<Holder> holders() {
        lock.lock();
        try {
            countLive();
            return live.values().stream().map(this::holder).toList();
        } finally {
            lock.unlock();
        }
    }

    private Holder holder(Use use) {
        var age = Duration.ofNanos(clock.nanos() - use.sinceNanos);
        return new Holder(use.what, use.where, age, Optional.empty(), List.of(use.thread.getStackTrace()));
    }

    /// Waits until nobody uses the store.
    ///
    /// @return false if the deadline passed, or the thread was interrupted, before that
    boolean awaitNone(Deadline deadline, Timers timers) {
        var alarm = timers.at(deadline, this::wake);
        lock.lock();
        try {
            while (countLive() > 0) {
                if (deadline.passed()) {
                    return false;
                }
                changed.await();
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
            alarm.cancel();
        }
    }

    private void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
