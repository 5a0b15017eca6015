package dev.tenure.core;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The static description of one kind of resource: its name, how it ends, and how a cancel unblocks its user.
///
/// Keep it in a `static final` field: it is shared by every value of its kind and allocates nothing per value.
///
/// **Threads:** immutable.
///
/// @param <T> the values' type
public final class ResourceType<T> {
    private final String name;
    private final Release<? super T> release;
    private final @Nullable Consumer<? super T> unblock;

    private ResourceType(String name, Release<? super T> release, @Nullable Consumer<? super T> unblock) {
        this.name = Objects.requireNonNull(name, "name");
        this.release = Objects.requireNonNull(release, "release");
        this.unblock = unblock;
    }

    /// A kind of resource.
    ///
    /// @param <T> the values' type
    /// @param name for reports, such as `camera`
    /// @param release ends a value; runs masked and once
    /// @return the type
    public static <T> ResourceType<T> of(String name, Release<? super T> release) {
        return new ResourceType<>(name, release, null);
    }

    /// The same kind with a hook that unblocks whoever is stuck in a value when its owner is cancelled, such as
    /// `Statement.cancel`. The hook runs before the join, at most once, on the canceller's thread; it must not
    /// block, owns nothing and does not end the value. A release waits for a running hook.
    ///
    /// @param unblock the hook; thread-safe
    /// @return the type with the hook
    public ResourceType<T> onCancel(Consumer<? super T> unblock) {
        return new ResourceType<>(name, release, Objects.requireNonNull(unblock, "unblock"));
    }

    /// Its name.
    ///
    /// @return for reports
    public String name() {
        return name;
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
