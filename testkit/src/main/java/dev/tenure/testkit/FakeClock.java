package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// A clock that stands still until a test moves it, and the timers that go with it.
///
/// **Owner:** the test. **Ends:** with it; nothing runs on its own. **Threads:** any; alarms run on the
/// thread that calls [#advance], in the order of their deadlines, those of one instant in the order
/// they were armed. **Limits:** an alarm armed at a deadline that has passed rings at the next
/// [#advance], also at `advance(Duration.ZERO)`; [#awaitPending] gives up after 10 s of real time.
/// **Source:** design 3.
public final class FakeClock implements TimeSource, Timers {
    private static final Duration WATCHDOG = Duration.ofSeconds(10);
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition armed = lock.newCondition();
    private final long origin;
    private volatile LongConsumer listener = _ -> {};

    // Guarded by lock.
    private final PriorityQueue<Entry> alarms = new PriorityQueue<>();
    private long nanos;
    private long sequence;

    /// A clock at the first instant of 2026, its monotonic reading close to overflow so that careless
    /// arithmetic shows.
    public FakeClock() {
        this(Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1));
    }

    /// A clock whose monotonic reading starts as given.
    ///
    /// @param nanos the first reading
    public FakeClock(long nanos) {
        this.origin = nanos;
        this.nanos = nanos;
    }

    @Override
    public long nanos() {
        lock.lock();
        try {
            return nanos;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Instant now() {
        return START.plusNanos(nanos() - origin);
    }

    /// A deadline on this clock.
    ///
    /// @param wait from its present reading
    /// @return the deadline
    public Deadline deadline(Duration wait) {
        return Deadline.in(wait, this);
    }

    @Override
    public Alarm at(Deadline when, Runnable task) {
        if (when.isNone()) {
            return () -> false;
        }
        var entry = entered(when, task);
        listener.accept(entry.when);
        return () -> cancel(entry);
    }

    private Entry entered(Deadline when, Runnable task) {
        lock.lock();
        try {
            var entry = new Entry(nanos + when.remainingNanos(), sequence++, task);
            alarms.add(entry);
            armed.signalAll();
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /// Tells of each alarm, for a run of a sweep.
    void listener(LongConsumer told) {
        listener = told;
    }

    @Override
    public int pending() {
        lock.lock();
        try {
            return alarms.size();
        } finally {
            lock.unlock();
        }
    }

    /// Moves the clock and runs, on this thread, every alarm that is due on the way, the clock standing
    /// at its deadline.
    ///
    /// @param step how far; zero runs what is due already
    public void advance(Duration step) {
        if (step.isNegative()) {
            throw new IllegalArgumentException("step: " + step + " (expected: >= 0)");
        }
        var target = nanos() + step.toNanos();
        for (var due = next(target); due != null; due = next(target)) {
            due.task.run();
        }
    }

    /// Waits until at least so many alarms are armed, so that a test knows the code under test waits on
    /// this clock.
    ///
    /// @param count how many
    /// @throws AssertionError if that takes longer than 10 s of real time
    public void awaitPending(int count) {
        var limit = Deadline.in(WATCHDOG);
        lock.lock();
        try {
            while (alarms.size() < count) {
                if (!armed.await(limit.remainingNanos(), TimeUnit.NANOSECONDS) && limit.passed()) {
                    throw new AssertionError("clock: %d alarms armed after %d ms (expected: at least %d)"
                            .formatted(alarms.size(), WATCHDOG.toMillis(), count));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("clock: interrupted while waiting for " + count + " alarms", e);
        } finally {
            lock.unlock();
        }
    }

    /// Nanoseconds until the next alarm, for a run of a sweep.
    OptionalLong untilNextAlarm() {
        lock.lock();
        try {
            var first = alarms.peek();
            return first == null ? OptionalLong.empty() : OptionalLong.of(Math.max(0, first.when - nanos));
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Entry next(long target) {
        lock.lock();
        try {
            var first = alarms.peek();
            if (first == null || first.when - target > 0) {
                nanos = target;
                return null;
            }
            if (first.when - nanos > 0) {
                nanos = first.when;
            }
            return alarms.poll();
        } finally {
            lock.unlock();
        }
    }

    private boolean cancel(Entry entry) {
        lock.lock();
        try {
            return alarms.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    /// Compared by difference, since readings may overflow.
    @SuppressWarnings("ComparableType") // ordered only; equality stays identity
    private static final class Entry implements Comparable<Entry> {
        private final long when;
        private final long order;
        private final Runnable task;

        Entry(long when, long order, Runnable task) {
            this.when = when;
            this.order = order;
            this.task = task;
        }

        @Override
        public int compareTo(Entry other) {
            var byTime = Long.signum(when - other.when);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
