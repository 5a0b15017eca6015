package dev.tenure.testkit.internal.engine;

import org.jspecify.annotations.Nullable;

/// What the core tells of one thing; lives as long as the call, so that the compiler need not make it.
sealed interface Told {
    /// Something that must end has begun.
    ///
    /// @param kind as the core says
    /// @param name its label
    /// @param identity the thing
    /// @param owner what it is linked in
    record Opened(
            String kind,
            String name,
            Object identity,
            @Nullable Object owner) implements Told {}

    /// A handle moved.
    ///
    /// @param from the dead one
    /// @param to the live one
    /// @param owner the taker
    /// @param event by what
    record Moved(Object from, Object to, Object owner, String event) implements Told {}
}
