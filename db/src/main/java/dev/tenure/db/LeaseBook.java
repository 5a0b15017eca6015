package dev.tenure.db;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The leases that are out, and whether more may go out.
///
/// **States:** `OPEN -> CLOSING -> DISPOSING -> CLOSED`. CLOSING refuses borrowers; DISPOSING begins when no lease is
/// out, and is one thread's. **Threads:** any.
final class LeaseBook {
    /// Where the database stands.
    enum State {
        OPEN,
        CLOSING,
        DISPOSING,
        CLOSED
    }

    /// On another clock than the system's, waiting passes no time, so the deadline is looked at this often.
    private static final long SLICE_NANOS = 1_000_000;

    private final Settings settings;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    private final Runnable disposal;

    // Guarded by lock.
    private final Map<Thread, JdbcLease> out = new HashMap<>();
    private State state = State.OPEN;
    private int opening;
    private int closers;
    private long lent;

    /// @param disposal runs when the last lease comes back during a close that nobody waits for any more
    LeaseBook(Settings settings, Runnable disposal) {
        this.settings = settings;
        this.disposal = disposal;
    }

    Settings settings() {
        return settings;
    }

    /// Refuses a borrower that could not be served.
    void checkBorrower() {
        lock.lock();
        try {
            refuseUnlessOpen();
            JdbcLease mine = out.get(Thread.currentThread());
            if (mine != null) {
                throw new NestedLease("%s has been out for %d ms and its thread asks for another: use the one it has"
                        .formatted(mine.place(), mine.age().toMillis()));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Announces a lease: from here on a close waits for it.
    void opening() {
        lock.lock();
        try {
            refuseUnlessOpen();
            opening++;
        } finally {
            lock.unlock();
        }
    }

    /// The announced lease is out.
    void begun(JdbcLease lease) {
        lock.lock();
        try {
            opening--;
            out.put(lease.thread(), lease);
            lent++;
        } finally {
            lock.unlock();
        }
    }

    /// The announced lease could not be opened.
    void notBegun() {
        lock.lock();
        try {
            opening--;
        } finally {
            lock.unlock();
        }
        changed();
    }

    private void refuseUnlessOpen() {
        if (state != State.OPEN) {
            throw closed();
        }
    }

    DatabaseClosed closed() {
        return new DatabaseClosed("database '%s' is %s and lends nothing more"
                .formatted(settings.name(), state == State.CLOSED ? "closed" : "closing"));
    }

    void ended(JdbcLease lease) {
        lock.lock();
        try {
            out.remove(lease.thread(), lease);
        } finally {
            lock.unlock();
        }
        changed();
    }

    private void changed() {
        boolean orphaned;
        lock.lock();
        try {
            changed.signalAll();
            orphaned = state == State.CLOSING && isIdle() && closers == 0;
        } finally {
            lock.unlock();
        }
        if (orphaned) {
            disposal.run();
        }
    }

    private boolean isIdle() {
        return out.isEmpty() && opening == 0;
    }

    /// Refuses borrowers from now on.
    ///
    /// @return whether this call was the first to do so
    boolean beginClosing() {
        lock.lock();
        try {
            JdbcLease mine = out.get(Thread.currentThread());
            if (mine != null) {
                throw new CloseFromLease("%s: its thread closes the database, which would wait for itself: return first"
                        .formatted(mine.place()));
            }
            if (state != State.OPEN) {
                return false;
            }
            state = State.CLOSING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until no lease is out and nobody else disposes.
    ///
    /// @return whether that came before the deadline
    boolean awaitIdle(Deadline deadline) {
        lock.lock();
        closers++;
        try {
            while (!isIdle() || state == State.DISPOSING) {
                if (deadline.passed()) {
                    return false;
                }
                changed.awaitNanos(nanosToWait(deadline));
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            if (isIdle() && state != State.DISPOSING) {
                return true;
            }
            Scope.innermost().ifPresent(Scope::checkpoint);
            throw new Cancelled(Reason.of(Reason.Kind.REQUEST, "an interrupt of the thread that closes"));
        } finally {
            closers--;
            lock.unlock();
        }
    }

    private static long nanosToWait(Deadline deadline) {
        boolean real = deadline.isNone() || deadline.source().equals(TimeSource.system());
        return real ? Math.max(1, deadline.remainingNanos()) : SLICE_NANOS;
    }

    /// Makes the calling thread the one that disposes.
    ///
    /// @return false if a lease is out, or it was or is disposed by another
    boolean beginDisposing() {
        lock.lock();
        try {
            if (state != State.CLOSING || !isIdle()) {
                return false;
            }
            state = State.DISPOSING;
            return true;
        } finally {
            lock.unlock();
        }
    }

    void disposed() {
        lock.lock();
        try {
            state = State.CLOSED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    State state() {
        lock.lock();
        try {
            return state;
        } finally {
            lock.unlock();
        }
    }

    List<JdbcLease> live() {
        lock.lock();
        try {
            return new ArrayList<>(out.values());
        } finally {
            lock.unlock();
        }
    }

    Optional<JdbcLease> oldest() {
        return live().stream().max(Comparator.comparing(JdbcLease::age));
    }

    List<Holder> holders() {
        return live().stream().map(JdbcLease::holder).toList();
    }

    long lent() {
        lock.lock();
        try {
            return lent;
        } finally {
            lock.unlock();
        }
    }
}
