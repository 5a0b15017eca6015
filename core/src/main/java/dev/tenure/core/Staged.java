package dev.tenure.core;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A value that is discarded by its owner unless it is published first (Law 8).
///
/// **Owner:** the scope it was staged in. **Ends:** published, discarded, or left unknown to a
/// reclaimer. **States:** `STAGED -> PUBLISHING -> PUBLISHED | UNKNOWN`, `STAGED -> DISCARDED`;
/// `PUBLISHING -> STAGED` when the step says
/// that nothing was published. A scope that closes while it is `PUBLISHING` leaves it `UNKNOWN`: it is
/// never discarded once a
/// commit may have referred to it. **Threads:** the scope's; [#state()] from any. **Source:** ownership
/// 4.3.
///
/// @param <T> the value's type
public final class Staged<T> implements AutoCloseable {
    /// Where a staged value stands.
    public enum State {
        /// Nobody refers to it.
        STAGED,
        /// A commit is under way.
        PUBLISHING,
        /// Referred to; no longer ours.
        PUBLISHED,
        /// Its release has run.
        DISCARDED,
        /// A commit may or may not have happened; a reclaimer decides.
        UNKNOWN
    }

    /// The step that makes a value visible.
    ///
    /// @param <T> the value's type
    /// @param <R> the result
    /// @param <X> what it may throw
    @FunctionalInterface
    public interface Commit<T, R, X extends Exception> {
        /// Publishes.
        ///
        /// @param value the staged value
        /// @return the result; returning means published
        /// @throws X leaves the outcome unknown, except [NotPublished]
        R commit(T value) throws X;
    }

    /// Thrown by a publish step to say that it definitely published nothing, so that the value stays
    /// staged and is discarded by its owner. Any other exception out of a publish step leaves the
    /// outcome unknown.
    public static final class NotPublished extends OwnershipException {
        private static final long serialVersionUID = 1L;

        /// Says that nothing was published, because of this failure.
        ///
        /// @param cause the definite failure
        public NotPublished(Throwable cause) {
            super("nothing was published: " + cause);
            initCause(cause);
        }
    }

    private final ResourceType<T> type;
    private final T value;
    private final AtomicReference<State> state = new AtomicReference<>(State.STAGED);
    private volatile @Nullable Owned<Staged<T>> handle;

    Staged(ResourceType<T> type, T value) {
        this.type = type;
        this.value = value;
    }

    /// The type under which a scope owns the staged value: its release asks the state.
    static <T> ResourceType<Staged<T>> typeOf(ResourceType<T> discard) {
        return ResourceType.of(discard.name(), Staged::end);
    }

    Staged<T> heldBy(Owned<Staged<T>> owned) {
        handle = owned;
        return this;
    }

    private void end() throws Exception {
        if (state.compareAndSet(State.STAGED, State.DISCARDED)) {
            discard();
        } else {
            state.compareAndSet(State.PUBLISHING, State.UNKNOWN);
        }
    }

    /// A probe that throws fails the discard, but never keeps the value from its end.
    private void discard() throws Exception {
        try (AutoCloseable _ = () -> type.end(value)) {
            Probe.before("discard", type.name());
        }
        Probe.after("discard", type.name());
    }

    /// The value.
    ///
    /// @return the value, while it is staged
    public T get() {
        State seen = state.get();
        if (seen != State.STAGED && seen != State.PUBLISHING) {
            throw new StaleHandle("get of %s: it is %s; use it before its end".formatted(type.name(), seen));
        }
        return value;
    }

    /// Publishes in one masked step.
    ///
    /// @param <R> the result
    /// @param <X> what the step may throw
    /// @param step returns only if the value is visible now
    /// @return the step's result
    /// @throws X as the step does; the state tells what it means
    public <R, X extends Exception> R publish(Commit<? super T, R, X> step) throws X {
        inDoubt();
        return Scope.shielded(() -> {
            R result;
            try {
                result = step.commit(value);
            } catch (NotPublished definite) {
                refused();
                throw definite;
            } catch (Throwable ambiguous) {
                unknown();
                throw ambiguous;
            }
            published();
            return result;
        });
    }

    /// Says that a commit which refers to the value starts now: from here on a crash or a close leaves
    /// it `UNKNOWN`.
    public void inDoubt() {
        Probe.before("publish", type.name());
        if (!state.compareAndSet(State.STAGED, State.PUBLISHING)) {
            throw new StaleHandle("publish of %s: it is %s; only a staged value is published, once"
                    .formatted(type.name(), state.get()));
        }
    }

    /// Says that the commit took place: the value is no longer ours.
    public void published() {
        settle(State.PUBLISHED);
        letGo("PUBLISHED");
        Probe.after("publish", type.name());
    }

    /// Says that the commit definitely did not take place: the value is staged again.
    public void refused() {
        state.compareAndSet(State.PUBLISHING, State.STAGED);
    }

    /// Says that nobody knows whether the commit took place: the value is left to a reclaimer.
    public void unknown() {
        settle(State.UNKNOWN);
        letGo("UNKNOWN");
    }

    /// What was discarded stays so: whoever says otherwise must hear of it.
    private void settle(State end) {
        State seen = state.getAndUpdate(was -> was == State.DISCARDED ? was : end);
        if (seen == State.DISCARDED) {
            throw new StaleHandle(
                    "%s of %s: it was discarded before; say inDoubt() before the commit".formatted(end, type.name()));
        }
    }

    private void letGo(String how) {
        Owned<Staged<T>> owned = handle;
        if (owned != null) {
            owned.relinquish(how);
        }
    }

    /// Discards the value if it is staged; leaves it unknown if a commit was under way; does nothing
    /// otherwise.
    @Override
    public void close() {
        Owned<Staged<T>> owned = handle;
        if (owned != null) {
            owned.close();
        }
    }

    /// Where it stands.
    ///
    /// @return a snapshot
    public State state() {
        return state.get();
    }

    @Override
    public String toString() {
        return type.name() + " " + state.get();
    }
}
