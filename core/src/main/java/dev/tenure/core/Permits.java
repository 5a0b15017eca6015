package dev.tenure.core;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A fair, bounded number of permits; each one granted is [Owned], so a permit cannot be lost or
/// released twice.
///
/// **Owner:** a permit's is the scope it was acquired into. **Ends:** with that scope, or earlier by
/// its handle. **States:** open, closed: waiters are refused, granted permits stay valid. **Threads:**
/// any; [Owned] tells a permit's.
/// **Limits:** permits and waiters, both positive counts. **Fails:** [Busy] when the queue is full,
/// [WaitTimeout], [AdmissionClosed], [Cancelled]. A waiter that leaves gives its place back.
/// **Source:** ownership pitfalls 2, 8, 10, 29.
public final class Permits {
    /// One granted permit.
    public static final class Permit {
        private final Permits from;

        private Permit(Permits from) {
            this.from = from;
        }

        @Override
        public String toString() {
            return "permit of " + from.name;
        }
    }

    /// A bounded wait refused another waiter: its queue is full. Nothing was taken.
    public static final class Busy extends OwnershipException {
        private static final long serialVersionUID = 1L;

        Busy(String message) {
            super(message);
        }
    }

    /// A wait ended by its own deadline. Nothing was taken.
    public static final class WaitTimeout extends OwnershipException {
        private static final long serialVersionUID = 1L;

        WaitTimeout(String message) {
            super(message);
        }
    }

    private enum Verdict {
        WAITING,
        GRANTED,
        REFUSED,
        LEFT
    }

    /// One compare-and-set decides how a wait ends.
    private static final class Waiter {
        final AtomicReference<Verdict> verdict = new AtomicReference<>(Verdict.WAITING);
        final Waiters parked = new Waiters();

        boolean decide(Verdict end) {
            return verdict.compareAndSet(Verdict.WAITING, end);
        }

        boolean isSettled() {
            return verdict.get() != Verdict.WAITING;
        }
    }

    private final String name;
    private final int capacity;
    private final int waitersMax;
    private final ResourceType<Permit> type;

    // Guarded by this.
    private final ArrayDeque<Waiter> queue = new ArrayDeque<>();
    private int available;
    private boolean closed;

    private Permits(String name, int capacity, int waitersMax) {
        this.name = Objects.requireNonNull(name, "name");
        this.capacity = positive("permits", capacity, 1);
        this.waitersMax = positive("waitersMax", waitersMax, 0);
        this.available = capacity;
        this.type = ResourceType.of("permit of " + name, _ -> giveBack());
    }

    private static int positive(String key, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("%s: %d (expected: >= %d)".formatted(key, value, least));
        }
        return value;
    }

    /// Permits that are granted in the order of asking.
    ///
    /// @param name for reports
    /// @param permits how many there are, at least 1
    /// @param waitersMax how many may wait, at least 0
    /// @return the permits
    public static Permits fair(String name, int permits, int waitersMax) {
        return new Permits(name, permits, waitersMax);
    }

    /// Waits for a permit and registers it with the current scope.
    ///
    /// @return the permit's handle
    public Owned<Permit> acquire() {
        return acquire(Scope.current(), Deadline.none());
    }

    /// Waits for a permit and registers it with a scope of this thread.
    ///
    /// @param into the scope that will own it
    /// @param deadline the end of the wait
    /// @return the permit's handle
    public Owned<Permit> acquire(Scope into, Deadline deadline) {
        return into.acquire(type, () -> grant(into, deadline));
    }

    private Permit grant(Scope into, Deadline deadline) {
        long asked = deadline.source().nanos();
        Waiter waiter = new Waiter();
        synchronized (this) {
            if (closed) {
                throw refusal();
            }
            if (available > 0) {
                available--;
                return new Permit(this);
            }
            if (queue.size() >= waitersMax) {
                throw new Busy("%s: all %d are taken and %d wait, which is the limit: try later, or raise waitersMax"
                        .formatted(name, capacity, queue.size()));
            }
            queue.add(waiter);
        }
        return await(waiter, into, deadline, asked);
    }

    private Permit await(Waiter waiter, Scope into, Deadline deadline, long asked) {
        try {
            into.strand().await(waiter.parked, waiter::isSettled, into, deadline);
        } catch (Cancelled cancelled) {
            if (leave(waiter)) {
                throw cancelled;
            }
        }
        if (leave(waiter)) {
            throw timeout((deadline.source().nanos() - asked) / 1_000_000);
        }
        if (waiter.verdict.get() == Verdict.REFUSED) {
            throw refusal();
        }
        return new Permit(this);
    }

    /// Takes a waiter out of the queue.
    ///
    /// @return false if it was granted or refused first
    private synchronized boolean leave(Waiter waiter) {
        boolean left = waiter.decide(Verdict.LEFT);
        if (left) {
            queue.remove(waiter);
        }
        return left;
    }

    private void giveBack() {
        Waiter next = nextGranted();
        if (next != null) {
            next.parked.wake();
        }
    }

    private synchronized @Nullable Waiter nextGranted() {
        for (Waiter first = queue.poll(); first != null; first = queue.poll()) {
            if (first.decide(Verdict.GRANTED)) {
                return first;
            }
        }
        available++;
        return null;
    }

    /// Refuses new and waiting callers. Granted permits stay valid and are given back as usual.
    public void close() {
        ArrayDeque<Waiter> refused;
        synchronized (this) {
            closed = true;
            refused = new ArrayDeque<>(queue);
            queue.clear();
            refused.removeIf(waiter -> !waiter.decide(Verdict.REFUSED));
        }
        refused.forEach(waiter -> waiter.parked.wake());
    }

    private AdmissionClosed refusal() {
        return new AdmissionClosed(name + " is closed and grants nothing more");
    }

    private WaitTimeout timeout(long waitedMillis) {
        return new WaitTimeout(
                "%s: nothing free within %d ms (capacity %d, available %d, waiting %d): raise capacity or hold shorter"
                        .formatted(name, waitedMillis, capacity, available(), waiting()));
    }

    /// How many may be had at once now.
    ///
    /// @return a snapshot
    public synchronized int available() {
        return available;
    }

    /// How many wait.
    ///
    /// @return a snapshot
    public synchronized int waiting() {
        return queue.size();
    }
}
