package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.wire.ResponseHead;

/// What happened to a connection. An event that names an exchange which is no longer the present one changes nothing.
public sealed interface Event {
    /// Bytes came from the peer; lent for the call.
    ///
    /// @param piece the bytes
    record Received(Piece piece) implements Event {}

    /// The peer has sent its FIN.
    record PeerFin() implements Event {}

    /// The connection broke: a reset, or any failure to read or write.
    record PeerReset() implements Event {}

    /// A handler reads its request body for the first time.
    ///
    /// @param exchange its number
    record BodyWanted(int exchange) implements Event {}

    /// A handler has taken bytes of its request body out of the queue.
    ///
    /// @param exchange its number
    /// @param bytes how many
    record BodyTaken(int exchange, int bytes) implements Event {}

    /// A handler gave its whole answer; the body is given away.
    ///
    /// @param exchange its number
    /// @param head the head
    /// @param body the body
    record Answered(int exchange, ResponseHead head, Piece body) implements Event {}

    /// A handler began an answer of several pieces.
    ///
    /// @param exchange its number
    /// @param head the head
    /// @param flow what kind of body follows
    record AnswerBegun(int exchange, ResponseHead head, Flow flow) implements Event {}

    /// The next piece of an answer; given away.
    ///
    /// @param exchange its number
    /// @param piece the bytes
    record AnswerBytes(int exchange, Piece piece) implements Event {}

    /// An answer of several pieces is complete.
    ///
    /// @param exchange its number
    record AnswerEnded(int exchange) implements Event {}

    /// An answer of several pieces can't be completed.
    ///
    /// @param exchange its number
    record AnswerFailed(int exchange) implements Event {}

    /// A handler's task is over: scope and activity have ended.
    ///
    /// @param exchange its number
    record HandlerEnded(int exchange) implements Event {}

    /// All that was written has been taken by the transport.
    record OutputDrained() implements Event {}

    /// Some of what was written has been taken by the transport.
    ///
    /// @param bytes how much since it was told last
    record OutputProgressed(long bytes) implements Event {}

    /// [ConnectionEngine#nextDeadline()] may have passed.
    record Tick() implements Event {}

    /// Admission is closed: what is idle ends.
    record DrainBegun() implements Event {}

    /// Work in flight has had its time.
    record Forced() implements Event {}

    /// The connection ends now.
    record Disposed() implements Event {}

    /// What kind of body follows a head.
    enum Flow {
        /// A stream or file of its author's making.
        STREAM,
        /// Server-sent events, each a piece.
        EVENTS
    }
}
