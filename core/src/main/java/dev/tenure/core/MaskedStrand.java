package dev.tenure.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The strand of a task: its word keeps our interrupts out of masks, closing scopes and threads that
/// are done.
abstract sealed class MaskedStrand extends Strand permits Task {
    private static final int CANCELLED = 1;
    private static final int PENDING = 2;
    private static final int DELIVERING = 4;
    private static final int DONE = 8;
    private static final int MASK = 16;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(MaskedStrand.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Guarded by DELIVERING.
    private Timers.@Nullable Alarm nagging;

    /// Born masked, so that a cancel cannot be lost between start and prologue.
    private volatile int word;

    MaskedStrand() {
        super(null);
        WORD.set(this, MASK); // plain: the start of the thread, or the registration, publishes it
    }

    abstract String name();

    @Override
    boolean isOurs() {
        return true;
    }

    @Override
    boolean isMasked() {
        return word >= MASK;
    }

    /// One atomic step: whoever begins a delivery after it sees the mask, and one that is under way is
    /// waited for.
    @Override
    void mask() {
        int seen = (int) WORD.getAndAdd(this, MASK);
        if (seen >= MASK) {
            return;
        }
        if ((seen & DELIVERING) != 0) {
            awaitDelivery();
        }
        Probe.step("mask", name(), "entered");
        keepInterrupt();
    }

    private void keepInterrupt() {
        if (Thread.interrupted()) {
            setBits(PENDING);
        }
    }

    /// One atomic step, too: a delivery that begins after it interrupts by itself; what waited for it, or
    /// is put down by a delivery that began before, is taken here.
    @Override
    void unmask() {
        int seen = (int) WORD.getAndAdd(this, -MASK);
        if (seen >= MASK + MASK) {
            return;
        }
        if ((seen & (DELIVERING | PENDING)) != 0 && takePending()) {
            Thread.currentThread().interrupt();
        }
        Probe.step("mask", name(), "left");
    }

    private boolean takePending() {
        awaitDelivery();
        return forgetPending();
    }

    @Override
    final void awaitDelivery() {
        while (isDelivering()) {
            pause("delivery", () -> !isDelivering());
        }
    }

    private boolean isDelivering() {
        return (word & DELIVERING) != 0;
    }

    @Override
    boolean forgetPending() {
        return ((int) WORD.getAndBitwiseAnd(this, ~PENDING) & PENDING) != 0;
    }

    @Override
    void remember() {
        setBits(PENDING);
    }

    @Override
    void ring(Scope scope) {
        if (!beginDelivery()) {
            return;
        }
        Probe.step("ring", name(), "delivering");
        int rung = CANCELLED;
        Thread target = thread;
        if (scope.phase() == Scope.Phase.OPEN) {
            if (settings().cancelMode() == CancelMode.SIGNAL) {
                LockSupport.unpark(target);
            } else if (word >= MASK || target == null) {
                rung |= PENDING;
            } else {
                target.interrupt();
            }
        }
        Probe.step("ring", name(), "rung");
        setBits(rung);
        nag();
        endDelivery();
        Probe.step("ring", name(), "ended");
    }

    final void endDelivery() {
        clearBits(DELIVERING);
    }

    /// Arms the next reminder, unless one is armed; by whoever holds DELIVERING.
    private void nag() {
        var options = settings();
        if (nagging == null && !options.nag().isZero()) {
            var when = Deadline.in(options.nag(), options.timeSource());
            nagging = Timers.of(options.timeSource()).at(when, this::remind);
        }
    }

    /// Interrupts again a task that runs on although a scope of its own is cancelled, unless it is
    /// masked.
    private void remind() {
        if (!beginDelivery()) {
            return;
        }
        nagging = null;
        Scope inner = innermost();
        Thread target = thread;
        if (inner != null && inner.firstReason() != null) {
            boolean open = inner.phase() == Scope.Phase.OPEN && settings().cancelMode() == CancelMode.INTERRUPT;
            if (open && word < MASK && target != null) {
                target.interrupt();
            }
            nag();
        }
        endDelivery();
    }

    /// Keeps cancellers, and the end of the task, out until [#endDelivery].
    ///
    /// @return false if the task is done
    final boolean beginDelivery() {
        while (true) {
            int seen = word;
            if ((seen & DONE) != 0) {
                return false;
            }
            if ((seen & DELIVERING) != 0) {
                awaitDelivery();
            } else if (WORD.compareAndSet(this, seen, seen | DELIVERING)) {
                return true;
            }
        }
    }

    /// No interrupt of ours reaches the thread from here on.
    final void finishDelivery() {
        while (true) {
            int seen = word;
            if ((seen & DELIVERING) != 0) {
                awaitDelivery();
            } else if (WORD.compareAndSet(this, seen, seen | DONE)) {
                Thread.interrupted();
                Timers.Alarm armed = nagging;
                if (armed != null) {
                    armed.cancel();
                }
                return;
            }
        }
    }

    private void setBits(int bits) {
        WORD.getAndBitwiseOr(this, bits);
    }

    private void clearBits(int bits) {
        WORD.getAndBitwiseAnd(this, ~bits);
    }
}
