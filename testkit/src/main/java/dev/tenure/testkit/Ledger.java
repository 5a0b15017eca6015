package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The live inventory of scopes, tasks, supervisors and owned values of this JVM, fed by the core's
/// probes.
///
/// **Owner:** the test kit. **Threads:** any. **Limits:** holds a reference to everything live, so it
/// finds what was never closed, and keeps it reachable.
public final class Ledger {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final IdentityHashMap<Object, Entry> live = new IdentityHashMap<>();
    private long sequence;

    Ledger() {}

    /// The inventory of this JVM.
    ///
    /// @return the one instance
    public static Ledger ofThisJvm() {
        return KitProbes.KIT.ledger();
    }

    /// Everything live, oldest first.
    ///
    /// @return a snapshot
    public List<Entry> live() {
        lock.lock();
        try {
            var entries = new ArrayList<>(live.values());
            entries.sort((left, right) -> Long.compare(left.order(), right.order()));
            return List.copyOf(entries);
        } finally {
            lock.unlock();
        }
    }

    /// What became live after the given point and still is.
    ///
    /// @param mark a value of [#mark()]
    /// @return a snapshot, oldest first
    public List<Entry> liveSince(long mark) {
        return live().stream().filter(entry -> entry.order() >= mark).toList();
    }

    /// A point in the order of openings.
    ///
    /// @return to be given to [#liveSince]
    public long mark() {
        lock.lock();
        try {
            return sequence;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until nothing that was opened after the mark is live.
    ///
    /// @param mark a value of [#mark()]
    /// @param limit the longest wait, in real time
    /// @return whether that state was reached
    public boolean awaitNoneSince(long mark, Duration limit) {
        var deadline = Deadline.in(limit);
        lock.lock();
        try {
            while (live.values().stream().anyMatch(entry -> entry.order() >= mark)) {
                if (!changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS) && deadline.passed()) {
                    return false;
                }
            }
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    void opened(String kind, String name, Object identity) {
        var entry = new Entry(kind, name, Thread.currentThread().getName(), next());
        lock.lock();
        try {
            live.put(identity, entry);
        } finally {
            lock.unlock();
        }
    }

    /// The entry goes over to the live handle and keeps its place in the order.
    void moved(Object from, Object to) {
        lock.lock();
        try {
            var entry = live.remove(from);
            if (entry != null) {
                live.put(to, entry);
            }
        } finally {
            lock.unlock();
        }
    }

    void ended(Object identity) {
        lock.lock();
        try {
            live.remove(identity);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private long next() {
        lock.lock();
        try {
            return sequence++;
        } finally {
            lock.unlock();
        }
    }

    /// One live thing.
    ///
    /// @param kind `scope`, `task`, `supervisor` or `owned`
    /// @param name its static label
    /// @param thread the thread that opened it
    /// @param order its place in the order of openings
    public record Entry(String kind, String name, String thread, long order) {
        @Override
        public String toString() {
            return kind + " '" + name + "' (opened by '" + thread + "')";
        }
    }
}
