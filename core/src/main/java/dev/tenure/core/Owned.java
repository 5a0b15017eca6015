package dev.tenure.core;

import com.google.errorprone.annotations.CheckReturnValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A handle: the one right to use and to end a value. Handle, list node of its owner and finalizer are
/// one object.
///
/// **Owner:** the [Scope] or [Supervisor] it is linked in. **Ends:** by [#close()], by its owner's
/// close, or by a move, after which this handle is dead and another one is live. One compare-and-set
/// decides which of them it is. **States:** `HELD -> releasing -> RELEASED | FAILED`; `HELD -> MOVED`;
/// `RESERVED -> HELD` while it is being moved in.
/// **Threads:** [#get()] and [#close()] from any thread that was given the handle. **Limits:** 40 bytes.
/// **Fails:** [StaleHandle] when used after its end. **Source:** ownership 4.3.
///
/// @param <T> the value's type
@SuppressWarnings("ReferenceEquality") // states are told apart by identity
public sealed class Owned<T> implements AutoCloseable permits TracedOwned {
    /// What a handle can be seen to be.
    public enum State {
        /// Being moved in; not usable yet.
        RESERVED,
        /// Live.
        HELD,
        /// Its release is running.
        RELEASING,
        /// Ended.
        RELEASED,
        /// Its release threw; it counts as ended.
        FAILED,
        /// Dead: the value was moved to another handle, or published.
        MOVED
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Owned.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Claims a handle for its cancel hook; a release waits until the hook is over.
    private static final class Hooking {
        private final Thread by = Thread.currentThread();
    }

    /// A release failed that may be tried once more.
    private static final class Retry {
        private final Throwable first;

        private Retry(Throwable first) {
            this.first = first;
        }
    }

    /// Held, and its hook has run.
    private static final Object SIGNALLED = new Object();

    /// A [State], [#SIGNALLED] (held, its hook ran), a [Hooking], the releasing [Thread], or the
    /// [Throwable] of a failed
    /// release.
    private volatile Object state;

    private @Nullable T value;
    private final ResourceType<T> type;

    /// The owner this node is linked in.
    final OwnerList owner;

    /// Links; written under the owner's rule (its thread, or its stripe's lock).
    @Nullable
    Owned<?> previous;

    @Nullable
    Owned<?> next;

    @SuppressWarnings("NullAway.Init") // the state is set through its handle, without a fence
    Owned(OwnerList owner, ResourceType<T> type, @Nullable T value, State state) {
        this.owner = owner;
        this.type = type;
        this.value = value;
        STATE.set(this, state); // whoever gets the handle gets it through something stronger
    }

    /// The value, for use until this handle's end.
    ///
    /// @return the value
    public final T get() {
        Object seen = state;
        T held = value;
        if (seen == State.HELD && held != null) {
            return held;
        }
        return getSlowly(seen, held);
    }

    private T getSlowly(Object seen, @Nullable T held) {
        boolean usable = seen == SIGNALLED || seen instanceof Hooking || seen == Thread.currentThread();
        if (usable && held != null) {
            return held;
        }
        throw stale("get");
    }

    /// Moves the value to a scope. On a normal return that scope owns it and this handle is dead; on an
    /// exception nothing
    /// changed. From a thread other than the scope's the value is handed over through the scope's inbox.
    ///
    /// @param destination the taker
    /// @return the live handle
    @CheckReturnValue
    public final Owned<T> moveTo(Scope destination) {
        return moveInto(destination, "move");
    }

    /// Moves the value to a supervisor. On a normal return the supervisor owns it and this handle is
    /// dead; on an exception nothing changed.
    ///
    /// @param destination the taker
    /// @return the live handle
    @CheckReturnValue
    public final Owned<T> moveTo(Supervisor destination) {
        return moveInto(destination.stripe(), "move");
    }

    /// Moves the value.
    ///
    /// @param event `move`, `fork`, `hoist`, `offer` or `take`, for points and evidence
    final Owned<T> moveInto(OwnerList destination, String event) {
        Probe.before(event, type.name());
        Owned<T> taker = destination.node(type, null, State.RESERVED);
        destination.link(taker);
        claimFor(taker, event);
        taker.value = value;
        value = null;
        Probe.step(event, type.name(), "claimed");
        Probe.moved(this, taker, destination.face(), event);
        Jfr.moved(taker, event);
        taker.state = State.HELD;
        Probe.step(event, type.name(), "held");
        destination.settled();
        try {
            if (type.hasHook()) {
                destination.registerHook(taker);
            }
        } finally {
            unlinkFromOwner();
        }
        Probe.after(event, type.name());
        return taker;
    }

    /// Ends this handle in favour of the reserved one, or gives the reservation up and throws.
    private void claimFor(Owned<T> taker, String event) {
        boolean claimed = false;
        try {
            Probe.point(event, type.name(), "reserved");
            claimed = claim(State.MOVED) != null;
            if (!claimed) {
                throw stale(event);
            }
        } finally {
            if (!claimed) {
                taker.abandonReservation();
            }
        }
    }

    private void abandonReservation() {
        state = State.MOVED;
        Probe.step("abandon", type.name(), "moved");
        owner.settled();
        unlinkFromOwner();
    }

    /// Ends the value now, from any thread that was given the handle. Returns when it has ended,
    /// whoever ended it; does nothing on a handle that was moved or has ended.
    ///
    /// Throws the release's failure as [CloseFailure].
    @Override
    public final void close() {
        Optional<Throwable> failure = end(true);
        if (failure.isPresent()) {
            throw new CloseFailure(type.name(), List.of(new CloseReport.Failure(type.name(), failure.get())));
        }
    }

    /// Fills a node that its own scope reserved.
    void hold(T acquired) {
        value = acquired;
        STATE.setRelease(this, State.HELD);
    }

    /// Ends the value unless someone did; waits for whoever is at it.
    ///
    /// @param unlink whether to take the node out of its owner
    /// @return the failure, if this call ended it and the release threw
    Optional<Throwable> end(boolean unlink) {
        boolean mine = startEnding();
        awaitSettled(Deadline.none());
        if (!mine) {
            return Optional.empty();
        }
        Optional<Throwable> failure = failure();
        if (unlink && isTerminal()) {
            unlinkFromOwner();
        }
        return failure;
    }

    /// Ends the value as its owner's close does: with the second attempt, if its type allows one.
    Optional<Throwable> endAtLast() {
        Optional<Throwable> failure = end(true);
        while (!isTerminal()) {
            failure = end(true);
        }
        return failure;
    }

    /// Ends the value unless someone did. A release with a strong mask has only begun when this returns.
    ///
    /// @return whether this call ends it
    boolean startEnding() {
        Thread self = Thread.currentThread();
        if (state == self) {
            throw new IllegalStateException(
                    type.name() + " is closed from inside its own release: return from the release instead");
        }
        Object before = claim(self);
        if (before == null) {
            return false;
        }
        if (!type.isStrong() || !startedElsewhere(before)) {
            release(before, owner.strandHere());
        }
        return true;
    }

    /// Has the value released by a thread of its own.
    ///
    /// @return false if no thread could be started, so that the release must run here
    private boolean startedElsewhere(Object before) {
        try {
            Strand.startSheltered(owner.options().threads(), "tenure-release of " + type.name(), this, strand -> {
                state = Thread.currentThread();
                release(before, strand);
            });
            return true;
        } catch (Throwable refused) {
            return false;
        }
    }

    /// Masked, by a mask of its own unless one is in force, as in a close.
    private void release(Object before, Strand strand) {
        boolean unmasked = !strand.isMasked();
        if (unmasked) {
            strand.mask();
        }
        try {
            settle(before, endValue());
        } finally {
            Probe.step("release", type.name(), "ended");
            if (unmasked) {
                strand.unmask();
            }
            owner.released(Thread.currentThread());
        }
    }

    private void settle(Object before, @Nullable Throwable failure) {
        Throwable kept = failure;
        if (before instanceof Retry retry) {
            kept = failure == null ? null : merged(retry.first, failure);
            owner.options().observer().retried(type.name(), retry.first, failure == null);
        } else if (failure != null && type.isRetryable()) {
            state = new Retry(failure);
            return;
        }
        String how = Probe.ON ? howEnded(kept) : "";
        Jfr.released(this, kept);
        value = null;
        STATE.setRelease(this, kept == null ? State.RELEASED : kept); // [OwnerList#released] has the fence
        Probe.ended("owned", type.name(), this, how);
    }

    private static Throwable merged(Throwable first, Throwable second) {
        if (first != second) {
            first.addSuppressed(second);
        }
        return first;
    }

    private String howEnded(@Nullable Throwable failure) {
        boolean unknown = value instanceof Staged<?> staged && staged.state() == Staged.State.UNKNOWN;
        return failure != null ? "FAILED" : unknown ? "UNKNOWN" : "RELEASED";
    }

    /// A probe that throws fails the release, but never keeps the value from its end, or from its
    /// second attempt.
    private @Nullable Throwable endValue() {
        Throwable injected = null;
        try {
            Probe.before("release", type.name());
        } catch (Throwable fault) {
            injected = fault;
        }
        if (injected != null && type.isRetryable()) {
            return injected;
        }
        try {
            T ending = value;
            if (ending != null) {
                type.end(ending);
            }
            Probe.after("release", type.name());
            return injected;
        } catch (Throwable failure) {
            return injected == null ? failure : merged(injected, failure);
        }
    }

    /// What its release threw, if it failed.
    Optional<Throwable> failure() {
        return switch (state) {
            case Throwable failed -> Optional.of(failed);
            case Retry retry -> Optional.of(retry.first);
            default -> Optional.empty();
        };
    }

    /// Gives the value up without ending it: it was published, or is left to a reclaimer.
    ///
    /// @param how `PUBLISHED` or `UNKNOWN`
    boolean relinquish(String how) {
        if (claim(State.MOVED) == null) {
            return false;
        }
        value = null;
        Probe.ended("owned", type.name(), this, how);
        unlinkFromOwner();
        return true;
    }

    /// Ends being held in favour of the claim; one caller wins. A failed release that may be retried is
    /// claimed by a release alone.
    ///
    /// @return what it was, or null for the losers
    private @Nullable Object claim(Object claim) {
        while (true) {
            Object seen = state;
            boolean claimable =
                    seen == State.HELD || seen == SIGNALLED || (seen instanceof Retry && claim instanceof Thread);
            if (claimable) {
                if (STATE.compareAndSet(this, seen, claim)) {
                    return seen;
                }
            } else if (seen == State.RESERVED) {
                awaitChange(seen, Deadline.none());
            } else if (seen instanceof Hooking hooking) {
                awaitHook(hooking);
            } else {
                return null;
            }
        }
    }

    private void awaitHook(Hooking hooking) {
        if (hooking.by == Thread.currentThread()) {
            throw new IllegalStateException(
                    type.name() + " is ended from inside its own onCancel hook: the hook may only unblock");
        }
        awaitChange(hooking, Deadline.none());
    }

    /// Waits for whoever is at it, for a few instructions or for a release or hook of user code.
    private void awaitChange(Object seen, Deadline deadline) {
        boolean interrupted = false;
        for (long nanos = 20_000; state == seen && !deadline.passed(); nanos = Math.min(2 * nanos, 1_000_000)) {
            if (!Probe.ON || !Probe.await(type.name(), () -> state != seen, deadline)) {
                interrupted |= Thread.interrupted();
                LockSupport.parkNanos(this, nanos);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for a mover that has not decided yet, or a release that is running on another thread.
    ///
    /// @return false if that had not ended when the deadline passed
    boolean awaitSettled(Deadline deadline) {
        for (Object seen = state; seen == State.RESERVED || seen instanceof Thread; seen = state) {
            awaitChange(seen, deadline);
            if (state == seen && deadline.passed()) {
                return false;
            }
        }
        return true;
    }

    /// Runs the cancel hook once, unless the value has ended.
    void runHook() {
        var hook = type.hook();
        if (hook.isEmpty()) {
            return;
        }
        Object hooking = new Hooking();
        if (!STATE.compareAndSet(this, State.HELD, hooking)) {
            return;
        }
        try {
            Probe.before("hook", type.name());
            T held = value;
            if (held != null) {
                hook.get().accept(held);
            }
            Probe.after("hook", type.name());
        } finally {
            state = SIGNALLED;
            Probe.step("hook", type.name(), "ended");
        }
    }

    private void unlinkFromOwner() {
        owner.unlink(this);
    }

    boolean isTerminal() {
        return isTerminal(state);
    }

    private static boolean isTerminal(Object seen) {
        return seen == State.RELEASED || seen == State.MOVED || seen instanceof Throwable;
    }

    /// Whether its release runs on this thread, which must not wait for the release's end then.
    boolean isReleasedBy(Thread thread) {
        return state == thread;
    }

    /// Since when and where, if that is traced.
    Optional<Trace> trace() {
        return Optional.empty();
    }

    /// Who is at the release, if one is running.
    Optional<Holder> holder() {
        if (!(state instanceof Thread at)) {
            return Optional.empty();
        }
        Duration age = trace().map(Trace::age).orElse(Duration.ZERO);
        return Optional.of(new Holder(
                "release of " + type.name(), at.getName(), age, Optional.empty(), List.of(at.getStackTrace())));
    }

    /// What it can be seen to be now.
    ///
    /// @return a snapshot
    public final State state() {
        return switch (state) {
            case null -> State.RESERVED; // a racy look at a node that is being made
            case State plain -> plain;
            case Thread _ -> State.RELEASING;
            case Throwable _ -> State.FAILED;
            case Retry _ -> State.FAILED;
            default -> State.HELD;
        };
    }

    /// The kind of resource.
    ///
    /// @return its type
    public final ResourceType<T> type() {
        return type;
    }

    private StaleHandle stale(String attempt) {
        return new StaleHandle(
                "%s of %s: the handle is %s; use the handle that its taker returned, or do it before the end"
                        .formatted(attempt, type.name(), state()));
    }

    @Override
    public String toString() {
        return type.name() + " " + state();
    }
}
