package dev.tenure.core;

import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The static description of one kind of resource: its name, how it ends, and how a cancel unblocks its
/// user.
///
/// Keep it in a `static final` field: it is shared by every value of its kind and allocates nothing per
/// value.
///
/// **Threads:** immutable.
///
/// @param <T> the values' type
public final class ResourceType<T> {
    /// Produces a value that must end.
    ///
    /// @param <T> the value's type
    /// @param <X> what producing it may throw
    @FunctionalInterface
    public interface Acquire<T, X extends Exception> {
        /// Produces the value; on an exception there is none.
        ///
        /// @return the value
        /// @throws X if there is no value
        T acquire() throws X;
    }

    /// Ends a value. Runs masked, once, and may block.
    ///
    /// @param <T> the value's type
    @FunctionalInterface
    public interface Release<T> {
        /// Ends the value.
        ///
        /// @param value the value
        /// @throws Exception recorded as a failed cleanup; the value counts as ended
        void release(T value) throws Exception;
    }

    private final String name;
    private final Release<? super T> release;
    private final @Nullable Consumer<? super T> unblock;
    private final boolean strong;
    private final boolean retryable;

    private ResourceType(
            String name, Release<? super T> release, @Nullable Consumer<? super T> unblock, Set<Trait> traits) {
        this.name = Objects.requireNonNull(name, "name");
        this.release = Objects.requireNonNull(release, "release");
        this.unblock = unblock;
        this.strong = traits.contains(Trait.STRONG);
        this.retryable = traits.contains(Trait.RETRYABLE);
    }

    private enum Trait {
        STRONG,
        RETRYABLE
    }

    private Set<Trait> traits() {
        var traits = EnumSet.noneOf(Trait.class);
        if (strong) {
            traits.add(Trait.STRONG);
        }
        if (retryable) {
            traits.add(Trait.RETRYABLE);
        }
        return traits;
    }

    private ResourceType<T> also(Trait trait) {
        var traits = traits();
        traits.add(trait);
        return new ResourceType<>(name, release, unblock, traits);
    }

    /// A kind of resource.
    ///
    /// @param <T> the values' type
    /// @param name for reports, such as `camera`
    /// @param release ends a value; runs masked and once
    /// @return the type
    public static <T> ResourceType<T> of(String name, Release<? super T> release) {
        return new ResourceType<>(name, release, null, Set.of());
    }

    /// The same kind with a hook that unblocks whoever is stuck in a value when its owner is cancelled,
    /// such as `Statement.cancel`. The hook runs before the join, at most once, on the canceller's
    /// thread; it must not block, owns nothing and does not end the value. A release waits for a
    /// running hook.
    ///
    /// @param unblock the hook; thread-safe
    /// @return the type with the hook
    public ResourceType<T> onCancel(Consumer<? super T> unblock) {
        return new ResourceType<>(name, release, Objects.requireNonNull(unblock, "unblock"), traits());
    }

    /// The same kind, released on a virtual thread of its own. A mask keeps our interrupts from a
    /// release; here nobody else's reach it either, and a close with a budget does not wait for it
    /// beyond that. Costs a thread a release: for what may block long, or runs where others interrupt.
    ///
    /// @return the type with the strong mask
    public ResourceType<T> strongMask() {
        return also(Trait.STRONG);
    }

    /// The same kind, whose release may be tried a second time when it failed: by its handle's
    /// [Owned#close()], and by its owner's close. The second attempt is the last, and the observer is
    /// told of it.
    ///
    /// @return the type; its release must bear a second call
    public ResourceType<T> retryable() {
        return also(Trait.RETRYABLE);
    }

    /// Its name.
    ///
    /// @return for reports
    public String name() {
        return name;
    }

    boolean isStrong() {
        return strong;
    }

    boolean isRetryable() {
        return retryable;
    }

    boolean hasHook() {
        return unblock != null;
    }

    Optional<Consumer<? super T>> hook() {
        return Optional.ofNullable(unblock);
    }

    void end(T value) throws Exception {
        release.release(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
