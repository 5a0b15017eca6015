package dev.tenure.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The handle that a task was given, set before its thread starts.
final class Handed<V> {
    private @Nullable Owned<V> handle;

    void set(Owned<V> moved) {
        handle = moved;
    }

    Owned<V> handle() {
        return Objects.requireNonNull(handle);
    }
}
