package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.ResponseHead;

/// What is to become of a request, as decided from its head alone.
public sealed interface Plan {
    /// Decides.
    @FunctionalInterface
    interface Planner {
        /// Decides from a head. Pure and short.
        ///
        /// @param head the request
        /// @return the plan
        Plan plan(dev.tenure.http.internal.wire.RequestHead head);
    }

    /// Answered at once, without a handler.
    ///
    /// @param head the head
    /// @param body the body
    record Reply(ResponseHead head, Piece body) implements Plan {}

    /// Answered by a handler in a task of its own.
    non-sealed interface Task extends Plan {
        /// What the body may have.
        ///
        /// @return bytes
        long bodyBytesMax();

        /// What a client is told whose body has more.
        ///
        /// @return status 413
        Refusal tooLarge();

        /// How long the exchange may take.
        ///
        /// @return nanoseconds
        long exchangeNanos();

        /// Whether a client that goes cancels the handler.
        ///
        /// @return false lets it finish
        boolean cancelOnGone();
    }
}
