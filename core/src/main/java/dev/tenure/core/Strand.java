package dev.tenure.core;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What one thread has of ours: its innermost open scope, and, for a task of ours, the word that
/// decides whether an interrupt may be delivered to it now.
///
/// The word: bit 0 CANCELLED, bit 1 PENDING (a cancel waits for the mask to go), bit 2 DELIVERING (a
/// canceller is at work), bit 3 DONE; above them the depth of masks. A canceller holds DELIVERING while
/// it looks at the scope's phase and at the mask, and interrupts, so an interrupt never reaches a scope
/// that has begun to close, a mask, or a thread that is done with us.
sealed class Strand permits MaskedStrand, Strand.Sheltered {
    static final ScopedValue<Strand> CURRENT = ScopedValue.newInstance();

    /// Stands where none is bound, so that one look is enough.
    private static final Strand NOBODYS = new Strand(null);

    private static final ThreadLocal<Strand> FOREIGN =
            ThreadLocal.withInitial(() -> new Strand(Thread.currentThread()));

    /// Written once, before the thread runs or by itself; read by cancellers.
    volatile @Nullable Thread thread;

    /// Written by the thread, read by cancellers.
    private volatile @Nullable Scope innermost;

    /// A carried value, and those bound before it.
    static final class Binding {
        private final Task.Carried<?> key;
        private final Object value;
        private final @Nullable Binding outer;

        private Binding(Task.Carried<?> key, Object value, @Nullable Binding outer) {
            this.key = key;
            this.value = value;
            this.outer = outer;
        }
    }

    /// Used by the thread alone, once it has started.
    private @Nullable Binding bindings;

    Strand(@Nullable Thread thread) {
        if (thread != null) {
            this.thread = thread;
        }
    }

    /// The strand of the calling thread.
    static Strand ofThread() {
        Strand bound = CURRENT.orElse(NOBODYS);
        return bound.thread == Thread.currentThread() ? bound : FOREIGN.get();
    }

    final @Nullable Scope innermost() {
        return innermost;
    }

    final void innermost(@Nullable Scope scope) {
        innermost = scope;
        leaveIfIdle();
    }

    /// Takes over what the forking strand carries.
    final void inherit(Strand forker) {
        bindings = forker.bindings;
    }

    /// Binds one more.
    ///
    /// @return what was bound before, for [#rebind]
    final @Nullable Binding bind(Task.Carried<?> key, Object value) {
        Binding outer = bindings;
        bindings = new Binding(key, value, outer);
        return outer;
    }

    final void rebind(@Nullable Binding outer) {
        bindings = outer;
        leaveIfIdle();
    }

    final @Nullable Object lookup(Task.Carried<?> key) {
        for (Binding at = bindings; at != null; at = at.outer) {
            if (at.key == key) {
                return at.value;
            }
        }
        return null;
    }

    /// A thread that is not ours forgets us when it has nothing of ours any more.
    private void leaveIfIdle() {
        if (innermost == null && bindings == null && !isOurs()) {
            FOREIGN.remove();
        }
    }

    /// Whether the thread was started by us, so that every interrupt on it is accounted for.
    boolean isOurs() {
        return false;
    }

    /// A thread that runs one release and is known to nobody, so that no interrupt reaches it.
    static final class Sheltered extends Strand {
        private Sheltered() {
            super(null);
        }

        @Override
        boolean isOurs() {
            return true;
        }

        @Override
        boolean isMasked() {
            return true;
        }
    }

    /// Starts a virtual thread for one release, and tells a test kit of it.
    ///
    /// @param identity what it is at
    static void startSheltered(Threads threads, String name, Object identity, Consumer<Strand> body) {
        Strand strand = new Sheltered();
        Runnable told = told(identity, () -> {
            strand.thread = Thread.currentThread();
            ScopedValue.where(CURRENT, strand).run(() -> body.accept(strand));
        });
        Probe.starting(identity);
        try {
            threads.startVirtual(name, told);
        } catch (Throwable refused) {
            Probe.ending(identity);
            throw refused;
        }
    }

    private static Runnable told(Object identity, Runnable body) {
        return () -> {
            Probe.began(identity);
            try {
                body.run();
            } finally {
                Probe.ending(identity);
            }
        };
    }

    /// What tasks started from here inherit.
    Supervisor.Options settings() {
        return Supervisor.Options.DEFAULT;
    }

    /// Keeps interrupts of ours away until [#unmask]. Nests.
    void mask() {}

    /// Ends one mask; delivers what waited for it.
    void unmask() {}

    /// Waits until no canceller is in the middle of a delivery.
    void awaitDelivery() {}

    /// Forgets a cancel that waits for the mask, since the scope it was for is closing and no other is
    /// cancelled.
    ///
    /// @return whether there was one
    boolean forgetPending() {
        return false;
    }

    /// Takes a forgotten cancel back.
    void remember() {}

    /// Wakes the thread for a cancel of this scope.
    void ring(Scope scope) {
        LockSupport.unpark(thread);
    }

    /// Lets the other side of a handshake of a few instructions go first.
    @SuppressWarnings("ThreadPriorityCheck") // the other side may need our carrier
    static void pause(String what, BooleanSupplier over) {
        if (!Probe.await(what, over, Deadline.none())) {
            Thread.yield();
        }
    }

    /// Starts a thread that closes or releases something of ours, and tells a test kit of it.
    ///
    /// @param identity what it is at
    static Thread startPlatform(Threads threads, String name, Object identity, Runnable body) {
        Probe.starting(identity);
        try {
            return threads.startPlatform(name, told(identity, body));
        } catch (Throwable refused) {
            Probe.ending(identity);
            throw refused;
        }
    }

    /// Whether a mask is in force.
    boolean isMasked() {
        return false;
    }

    /// Parks until the condition holds, the deadline passed, or the scope is cancelled.
    ///
    /// @return whether the condition held
    final boolean await(Waiters waiters, BooleanSupplier condition, Scope cancellable, Deadline deadline) {
        return waiters.await(condition, deadline, new Cancellation(cancellable));
    }

    /// A cancel of the scope, or an interrupt of its thread, ends a wait that is not masked.
    private final class Cancellation implements Waiters.Disturbance {
        private final Scope scope;

        Cancellation(Scope scope) {
            this.scope = scope;
        }

        @Override
        public boolean isPending(Thread waiter) {
            return !isMasked() && (scope.firstReason() != null || waiter.isInterrupted());
        }

        @Override
        public void check() {
            throwIfCancelled(scope);
        }

        @Override
        public String what() {
            return scope.name();
        }
    }

    /// An interrupt that we did not ring for is somebody's wish: it becomes a request to cancel the
    /// whole task.
    private void throwIfCancelled(Scope scope) {
        if (isMasked()) {
            return;
        }
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (interrupted && scope.cancelled().isEmpty()) {
            scope.root().cancel(Reason.of(Reason.Kind.REQUEST, "an interrupt of its thread"));
        }
        if (interrupted && isOurs()) {
            Thread.interrupted();
        }
        scope.checkpoint();
    }
}
