package dev.tenure.http;

import dev.tenure.core.Owned;
import java.nio.channels.SeekableByteChannel;

/// What a response has after its head.
sealed interface Content {
    /// Bytes at hand; given away.
    final class Whole implements Content {
        private final byte[] bytes;

        Whole(byte[] bytes) {
            this.bytes = bytes;
        }

        byte[] bytes() {
            return bytes;
        }
    }

    /// A value that the server's codec writes.
    record Json(Object value) implements Content {}

    /// A stream.
    record Streamed(BodyProducer producer) implements Content {}

    /// Server-sent events.
    record Events(EventProducer producer) implements Content {}

    /// A file that is open; its handle stays in the handler's scope.
    record OpenFile(Owned<? extends SeekableByteChannel> handle) implements Content {}
}
