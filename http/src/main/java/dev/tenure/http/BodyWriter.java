package dev.tenure.http;

import java.io.IOException;
import java.io.OutputStream;

/// Where a [BodyProducer] writes.
///
/// **Owner:** the exchange. **Ends:** when the producer returns. **Threads:** the producer's alone; a write waits
/// while the client takes less than is written. **Limits:** 64 KiB on the way to the transport; a client that takes
/// nothing for the write-idle time ends it. **Fails:** `Cancelled` once the exchange is cancelled; [IOException] if
/// the client went and the route continues.
public interface BodyWriter {
    /// Writes bytes; they are copied.
    ///
    /// @param bytes holds them
    /// @param from the first
    /// @param length how many
    /// @throws IOException the client went
    void write(byte[] bytes, int from, int length) throws IOException;

    /// Writes all bytes; they are copied.
    ///
    /// @param bytes the bytes
    /// @throws IOException the client went
    default void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    /// Hands over what was written so far. Does not wait for the client.
    ///
    /// @throws IOException the client went
    void flush() throws IOException;

    /// This writer as a stream. Closing it flushes and does not end the response.
    ///
    /// @return the stream
    OutputStream stream();

    /// Whether the server is stopping, so that an open-ended producer should come to its end.
    ///
    /// @return true for good
    boolean stopping();
}
