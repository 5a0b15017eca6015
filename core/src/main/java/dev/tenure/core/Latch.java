package dev.tenure.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Keeps others out for a few plain stores or one walk of a list, and never around user code or a probe.
///
/// One atomic exchange to take and one release store to leave: a third of a monitor, which takes two
/// atomic steps (docs/reference/core-bench.md). Whoever takes it sees what was done under it before, and
/// what happened before that. Whoever finds it taken looks again, yields, and then parks for longer and
/// longer, so that a holder which lost its processor keeps nobody busy. Not reentrant.
abstract class Latch {
    private static final int LOOKS = 64;
    private static final int YIELDS = 16;
    private static final long PARK_NANOS_MIN = 20_000;
    private static final long PARK_NANOS_MAX = 1_000_000;

    private static final VarHandle TAKEN;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(Latch.class, "taken", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// 1 while somebody holds it.
    private volatile int taken;

    final void lock() {
        if ((int) TAKEN.getAndSet(this, 1) != 0) {
            takeSlowly(this::tryTake);
        }
    }

    private boolean tryTake() {
        return taken == 0 && (int) TAKEN.getAndSet(this, 1) == 0;
    }

    final void unlock() {
        TAKEN.setRelease(this, 0);
    }

    /// Waits for a latch.
    ///
    /// @param attempt takes it if it is free
    @SuppressWarnings("ThreadPriorityCheck") // whoever holds it may need our processor
    static void takeSlowly(BooleanSupplier attempt) {
        long nanos = PARK_NANOS_MIN;
        for (int turn = 0; !attempt.getAsBoolean(); turn++) {
            if (turn < LOOKS) {
                Thread.onSpinWait();
            } else if (turn < LOOKS + YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(nanos);
                nanos = Math.min(2 * nanos, PARK_NANOS_MAX);
            }
        }
    }
}
