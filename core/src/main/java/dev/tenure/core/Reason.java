package dev.tenure.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Why something was cancelled. The first reason of a scope is the only one; it never changes.
///
/// **Threads:** immutable.
///
/// @param kind what kind of cause
/// @param by who asked, for reports
/// @param failure the failure behind it, if there is one
public record Reason(Kind kind, String by, @Nullable Throwable failure) {
    /// The kinds of cause.
    public enum Kind {
        /// A deadline passed.
        DEADLINE,
        /// An enclosing scope was cancelled.
        PARENT,
        /// Another task of the same scope failed.
        SIBLING_FAILED,
        /// Somebody asked through a [Canceller], a task handle or a thread interrupt.
        REQUEST,
        /// The owner closes.
        CLOSE,
        /// The peer of the connection went away.
        PEER_GONE,
        /// The process stops and the time for finishing is over.
        STOP
    }

    /// A reason without a failure behind it.
    ///
    /// @param kind what kind of cause
    /// @param by who asked
    /// @return the reason
    public static Reason of(Kind kind, String by) {
        return new Reason(kind, by, null);
    }

    /// The failure behind it.
    ///
    /// @return empty if there is none
    public Optional<Throwable> cause() {
        return Optional.ofNullable(failure);
    }

    @Override
    public String toString() {
        return kind + " by " + by + (failure == null ? "" : ": " + failure);
    }
}
