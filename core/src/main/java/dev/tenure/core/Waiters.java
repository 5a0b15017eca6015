package dev.tenure.core;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Threads parked until a condition holds. Whoever makes it true calls [#wake] afterwards.
///
/// The set is looked at after the condition was made true, and a waiter looks at the condition after it entered the
/// set:
/// one of them sees the other.
final class Waiters {
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

    private final Set<Thread> parked = ConcurrentHashMap.newKeySet();

    /// Parks until the condition holds or the deadline passed. The interrupt flag is kept.
    ///
    /// @param condition what is waited for
    /// @param deadline the end of the wait
    /// @param disturbance looked at before each park, the interrupt flag as it is; what it throws ends the wait
    /// @return whether the condition held
    boolean await(BooleanSupplier condition, Deadline deadline, Disturbance disturbance) {
        if (condition.getAsBoolean()) {
            return true;
        }
        boolean interrupted = false;
        parked.add(Thread.currentThread());
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
            parked.remove(Thread.currentThread());
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

    void wake() {
        for (Thread thread : parked) {
            LockSupport.unpark(thread);
        }
    }
}
