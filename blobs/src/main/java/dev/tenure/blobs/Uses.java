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
import java.util.stream.Collectors;

/// Who uses the store now: what a close waits for, what a report names, and what the reclaimer leaves alone.
final class Uses {
    private final TimeSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Map<Object, Live> live = new HashMap<>();
    private boolean sealed;

    Uses(TimeSource clock) {
        this.clock = clock;
    }

    /// What a use is; its label stands in reports.
    enum Kind {
        STAGED("staged blob"),
        PLACED("placed blob"),
        READ("open blob");

        private final String label;

        Kind(String label) {
            this.label = label;
        }
    }

    /// One use; its identity is the key it is recorded under.
    record Use(Kind kind, String blob, String where) {}

    private record Live(Use use, Thread thread, long sinceNanos, BooleanSupplier ended) {}

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
    boolean admit(Object key, Use use) {
        lock.lock();
        try {
            return !sealed && enter(key, use);
        } finally {
            lock.unlock();
        }
    }

    /// Records what a user that is in already goes on with.
    ///
    /// @return false if there is one under that key
    boolean enter(Object key, Use use) {
        var entry = new Live(use, Thread.currentThread(), clock.nanos(), () -> false);
        lock.lock();
        try {
            return live.putIfAbsent(key, entry) == null;
        } finally {
            lock.unlock();
        }
    }

    /// Says how to see that a user has ended without having said so.
    void endsWhen(Object key, BooleanSupplier ended) {
        lock.lock();
        try {
            live.computeIfPresent(key, (_, entry) -> new Live(entry.use, entry.thread, entry.sinceNanos, ended));
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
                    .filter(entry -> !entry.ended.getAsBoolean())
                    .isPresent();
        } finally {
            lock.unlock();
        }
    }

    /// How many there are of each kind.
    Map<Kind, Long> counts() {
        return snapshot().stream().collect(Collectors.groupingBy(entry -> entry.use.kind, Collectors.counting()));
    }

    List<Holder> holders() {
        return snapshot().stream().map(this::holder).toList();
    }

    private List<Live> snapshot() {
        lock.lock();
        try {
            dropEnded();
            return List.copyOf(live.values());
        } finally {
            lock.unlock();
        }
    }

    private void dropEnded() {
        live.values().removeIf(entry -> entry.ended.getAsBoolean());
    }

    private Holder holder(Live entry) {
        var use = entry.use;
        var age = Duration.ofNanos(clock.nanos() - entry.sinceNanos);
        var stack = List.of(entry.thread.getStackTrace());
        return new Holder(use.kind.label + " " + use.blob, use.where, age, Optional.empty(), stack);
    }

    /// Waits until nobody uses the store.
    ///
    /// @return false if the deadline passed, or the thread was interrupted, before that
    boolean awaitNone(Deadline deadline, Timers timers) {
        var alarm = timers.at(deadline, this::wake);
        lock.lock();
        try {
            for (dropEnded(); !live.isEmpty(); dropEnded()) {
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
