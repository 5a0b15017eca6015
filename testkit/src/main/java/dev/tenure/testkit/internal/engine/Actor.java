package dev.tenure.testkit.internal.engine;

import dev.tenure.core.Deadline;
import dev.tenure.core.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One controlled thread of a run: it runs only while it has the token.
public final class Actor {
    final Path path;
    final int index;
    final @Nullable Object identity;
    volatile @Nullable Thread thread;
    private volatile boolean go;
    /// An interrupt came while it waited for the token.
    private volatile boolean rung;

    // Written by whoever has the token.
    boolean done;
    boolean begun;
    long nudgedAt = -1;
    /// Its steps are one step to all others: no switch, no fault.
    boolean atomic;
    /// Who goes on when it ends, if it was called in between.
    @Nullable
    Actor returnTo;

    /// When it last began to wait for a deadline that was over, as a count of events; -1 if it did not.
    long lateAt = -1;

    boolean knewOfInterrupt;
    /// What its task was to do has returned normally.
    boolean bodyReturned;
    /// What fakes ended since its last release began.
    final List<Item> endings = new ArrayList<>(0);
    /// What fakes opened since its last acquisition began, for the handle that comes of it.
    @Nullable
    List<Item> inside;

    @Nullable
    String waitsFor;

    @Nullable
    BooleanSupplier ready;

    Deadline deadline = Deadline.none();

    Actor(Path path, int index, @Nullable Object identity) {
        this.path = path;
        this.index = index;
        this.identity = identity;
    }

    /// Who it is.
    ///
    /// @return its path
    public Path path() {
        return path;
    }

    /// Takes it for the calling thread.
    ///
    /// @return false if a thread has it
    synchronized boolean claim() {
        boolean free = !begun;
        begun = true;
        return free;
    }

    /// Whether it was announced for this.
    @SuppressWarnings("ReferenceEquality") // what the core announces is told apart by identity
    boolean isFor(Object announced) {
        return identity == announced;
    }

    /// Whether a third party could interrupt it: what closes and releases runs on threads that nobody else has.
    ///
    /// @return whether it is the scenario's own thread or a task's
    public boolean isInterruptible() {
        return identity == null || identity instanceof Task<?>;
    }

    boolean isBlocked() {
        return ready != null;
    }

    boolean isRunnable() {
        if (done) {
            return false;
        }
        BooleanSupplier condition = ready;
        return condition == null
                || condition.getAsBoolean()
                || (!knewOfInterrupt && isInterrupted())
                || deadline.passed();
    }

    /// Its flag may have been put aside meanwhile, so both are looked at: an interrupt that comes
    /// during a wait ends it.
    private boolean isInterrupted() {
        Thread known = thread;
        return rung || (known != null && known.isInterrupted());
    }

    void block(String what, BooleanSupplier condition, Deadline until) {
        waitsFor = what;
        ready = condition;
        deadline = until;
        knewOfInterrupt = isInterrupted();
    }

    void unblock() {
        waitsFor = null;
        ready = null;
        deadline = Deadline.none();
    }

    /// Gives it the token.
    void resume() {
        go = true;
        Thread known = thread;
        if (known != null) {
            LockSupport.unpark(known);
        }
    }

    /// Waits for the token; the interrupt flag is kept for the code that is meant by it.
    void awaitToken() {
        Thread self = Thread.currentThread();
        while (!go) {
            if (self.isInterrupted()) {
                rung = true;
                Thread.interrupted();
            }
            LockSupport.park(this);
        }
        go = false;
        if (rung) {
            rung = false;
            self.interrupt();
        }
    }
}
