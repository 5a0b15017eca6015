package dev.tenure.http.internal.wire;

import java.util.Optional;

/// Finds the end of a request body in the bytes that follow its head.
///
/// **Owner:** one exchange. **States:** open until [#done()] or [#refusal()]. **Threads:** one.
public sealed interface BodyReader permits FixedBody, ChunkedBody {
    /// Receives the bytes of the body itself, without framing.
    @FunctionalInterface
    interface Sink {
        /// Takes a piece; the array is the caller's again afterwards.
        ///
        /// @param bytes holds the piece
        /// @param from its first byte
        /// @param to after its last
        void take(byte[] bytes, int from, int to);
    }

    /// The reader for a head's body.
    ///
    /// @param head an accepted head
    /// @return done from the start if there is no body
    static BodyReader of(RequestHead head) {
        if (head.chunked()) {
            return new ChunkedBody();
        }
        return head.contentLength() == 0 ? FixedBody.NONE : new FixedBody(head.contentLength());
    }

    /// Takes bytes up to the end of the body.
    ///
    /// @param bytes read, not kept
    /// @param from the first byte
    /// @param to after the last
    /// @param sink is given the body's own bytes
    /// @return how many bytes belonged to the body and its framing
    int feed(byte[] bytes, int from, int to, Sink sink);

    /// Whether the body has ended well.
    ///
    /// @return true for good
    boolean done();

    /// How many bytes are still to come.
    ///
    /// @return -1 if that is not known
    long remaining();

    /// Why the framing was refused.
    ///
    /// @return empty while it is well
    Optional<Refusal> refusal();
}
