package dev.tenure.http.internal.exchange;

import dev.tenure.http.internal.wire.HeadEncoder.Persistence;
import dev.tenure.http.internal.wire.OutFraming;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;

/// What is to be done, at once and in order, before the next event.
public sealed interface Action {
    /// Start a handler.
    ///
    /// @param exchange its number, unique on this connection
    /// @param head the request
    /// @param plan what the planner said
    record Dispatch(int exchange, RequestHead head, Plan.Task plan) implements Action {}

    /// Give bytes of the request body to the handler; lent for the call.
    ///
    /// @param exchange its number
    /// @param piece the bytes
    record BodyBytes(int exchange, Piece piece) implements Action {}

    /// Tell the handler's reader that the request body is complete.
    ///
    /// @param exchange its number
    record BodyEnd(int exchange) implements Action {}

    /// Tell the handler's reader that the request body will not be complete.
    ///
    /// @param exchange its number
    /// @param why what happened
    record BodyFailed(int exchange, BodyFault why) implements Action {}

    /// Cancel the handler, and let nothing more of its answer through.
    ///
    /// @param exchange its number
    /// @param why the first cause
    record CancelHandler(int exchange, Cause why) implements Action {}

    /// Write `100 Continue`.
    record WriteContinue() implements Action {}

    /// Write a head.
    ///
    /// @param head the head
    /// @param framing how its body ends
    /// @param persistence what is said about the connection
    record WriteHead(ResponseHead head, OutFraming framing, Persistence persistence) implements Action {}

    /// Write bytes of a body; given away.
    ///
    /// @param piece the bytes
    /// @param chunked whether as a chunk
    record WriteBytes(Piece piece, boolean chunked) implements Action {}

    /// Write the last chunk.
    record WriteLastChunk() implements Action {}

    /// Read no more until told.
    record StopReading() implements Action {}

    /// Read again.
    record StartReading() implements Action {}

    /// Send our FIN; go on reading.
    record ShutdownOutput() implements Action {}

    /// Close. All output has been taken by the transport.
    record Close() implements Action {}

    /// Close so that the peer can't take what it has for a whole answer: by a reset.
    record Abort() implements Action {}

    /// A handler's exchange is retired.
    ///
    /// @param exchange its number
    /// @param end how
    record Retired(int exchange, End end) implements Action {}

    /// A request was refused before any handler.
    ///
    /// @param status the answer
    /// @param why for the log
    record Refused(int status, String why) implements Action {}

    /// Why a handler is cancelled.
    enum Cause {
        /// The client went.
        PEER_GONE,
        /// The client sent a body that is none.
        PEER_FAULT,
        /// The exchange's deadline passed.
        EXCHANGE_DEADLINE,
        /// The client sent nothing of its body for too long.
        BODY_IDLE,
        /// The client took nothing of its answer for too long.
        WRITE_IDLE,
        /// The stop's budget for work in flight is spent.
        STOP,
        /// Its event stream was ended by a stop.
        DRAINED
    }

    /// Why a request body ends early.
    enum BodyFault {
        /// The client went, or sends no more.
        GONE,
        /// It is malformed.
        MALFORMED,
        /// It has more bytes than the route takes.
        TOO_LARGE,
        /// It was never asked for, and the answer has begun.
        NOT_ASKED
    }

    /// How an exchange ended.
    enum End {
        /// Its handler's own answer went out, or was dropped with nobody to take it.
        COMPLETED,
        /// It was cancelled.
        CANCELLED,
        /// It was cancelled, and its handler gave an answer all the same, which went nowhere.
        CANCELLED_LATE
    }
}
