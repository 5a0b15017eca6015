package dev.tenure.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Threads parked until a condition holds. Whoever makes it true calls [#wake] afterwards.
///
/// The list is looked at after the condition was made true, and a waiter looks at the condition after it
/// entered the list: one of them sees the other. Costs nothing while nobody waits.
final class Waiters extends Latch {
    /// On a fake clock time does not pass by parking, so the wait looks again this often.
    private static final long SLICE_NANOS = 1_000_000;

    /// What may end a wait before its condition holds.
    interface Disturbance {
        /// Whether [#check] would throw; asked from any thread.
        ///
        /// @param waiter the thread that waits
        boolean isPending(Thread waiter);

        /// Throws what ends the wait; called by the waiting thread.
        void check();

        /// What is waited for.
        String what();
    }

    /// A wait that nothing ends early.
    record Patient(String what) implements Disturbance {
        @Override
        public boolean isPending(Thread waiter) {
            return false;
        }

        @Override
        public void check() {}
    }

    /// A wait outside any scope: an interrupt ends it.
    record Interruptible(String what) implements Disturbance {
        @Override
        public boolean isPending(Thread waiter) {
            return waiter.isInterrupted();
        }

        @Override
        public void check() {
            if (isPending(Thread.currentThread())) {
                throw new Cancelled(Reason.of(Reason.Kind.REQUEST, "an interrupt of the waiting thread"));
            }
        }
    }

    private static final VarHandle NEWEST;

    static {
        try {
            NEWEST = MethodHandles.lookup().findVarHandle(Waiters.class, "newest", Parked.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// One waiting thread; links are guarded by the list.
    private static final class Parked {
        private final Thread thread = Thread.currentThread();
        private @Nullable Parked before;
        private @Nullable Parked after;
    }

    /// The newest; written under the latch.
    private volatile @Nullable Parked newest;

    /// Parks until the condition holds or the deadline passed. The interrupt flag is kept.
    ///
    /// @param condition what is waited for
    /// @param deadline the end of the wait
    /// @param disturbance looked at before each park, the interrupt flag as it is; what it throws ends
    /// the wait
    /// @return whether the condition held
    boolean await(BooleanSupplier condition, Deadline deadline, Disturbance disturbance) {
        if (condition.getAsBoolean()) {
            return true;
        }
        boolean interrupted = false;
        var parked = enter();
        try {
            while (!condition.getAsBoolean()) {
                disturbance.check();
                if (deadline.passed()) {
                    return condition.getAsBoolean();
                }
                interrupted |= Thread.interrupted();
                if (!Probe.ON || !awaitedByKit(condition, deadline, disturbance)) {
                    park(deadline);
                }
            }
            return true;
        } finally {
            leave(parked);
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static boolean awaitedByKit(BooleanSupplier condition, Deadline deadline, Disturbance disturbance) {
        Thread waiter = Thread.currentThread();
        return Probe.await(
                disturbance.what(), () -> condition.getAsBoolean() || disturbance.isPending(waiter), deadline);
    }

    private void park(Deadline deadline) {
        if (deadline.isNone()) {
            LockSupport.park(this);
        } else if (deadline.source() instanceof SystemTime) {
            LockSupport.parkNanos(this, Math.max(1, deadline.remainingNanos()));
        } else {
            LockSupport.parkNanos(this, SLICE_NANOS);
        }
    }

    private Parked enter() {
        var parked = new Parked();
        lock();
        Parked first = newest;
        parked.after = first;
        if (first != null) {
            first.before = parked;
        }
        newest = parked; // a fence, before the condition is looked at again
        unlock();
        return parked;
    }

    private void leave(Parked parked) {
        lock();
        Parked before = parked.before;
        Parked after = parked.after;
        if (before == null) {
            NEWEST.setRelease(this, after);
        } else {
            before.after = after;
        }
        if (after != null) {
            after.before = before;
        }
        unlock();
    }

    void wake() {
        if (newest != null) {
            wakeAll();
        }
    }

    /// Threads are woken outside the latch; one that has left meanwhile finds a permit that it does not
    /// mind.
    private void wakeAll() {
        Thread only = null;
        List<Thread> all = List.of();
        lock();
        try {
            Parked first = newest;
            if (first != null && first.after == null) {
                only = first.thread;
            } else {
                all = threads();
            }
        } finally {
            unlock();
        }
        LockSupport.unpark(only);
        all.forEach(LockSupport::unpark);
    }

    private List<Thread> threads() {
        var threads = new ArrayList<Thread>();
        for (Parked at = newest; at != null; at = at.after) {
            threads.add(at.thread);
        }
        return threads;
    }
}
