package dev.tenure.uploads.internal;

import java.nio.ByteBuffer;

/// What a [MultipartParser] found next in its input.
public sealed interface Event {
    /// The input is used up: give more, or say that there is no more.
    record NeedMore() implements Event {}

    /// A part begins: its head is complete and valid.
    ///
    /// @param head the head
    record PartBegan(PartHead head) implements Event {}

    /// Content of the part that began last; the buffer is valid until the next call of the parser.
    ///
    /// @param bytes never empty
    record PartBytes(ByteBuffer bytes) implements Event {}

    /// The part that began last is complete: the delimiter after it was read.
    record PartEnded() implements Event {}

    /// The body is complete: the closing delimiter was read, and nothing but an epilogue after it.
    record Finished() implements Event {}

    /// The body is refused; the parser says nothing else from here on.
    ///
    /// @param kind which status it deserves
    /// @param why for the client
    record Refused(Kind kind, String why) implements Event {}

    /// Why a body is refused.
    enum Kind {
        /// Not what RFC 7578 and RFC 2046 allow.
        MALFORMED,
        /// Over a limit.
        TOO_LARGE
    }
}
