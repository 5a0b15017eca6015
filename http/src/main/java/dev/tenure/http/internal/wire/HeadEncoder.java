package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.time.Instant;

/// Writes response heads into an array of its own.
///
/// **Owner:** one event loop. **Limits:** any head that was built within [#HEAD_BYTES_MAX] fits. **Threads:** one.
/// **Source:** RFC 9112 section 4.
public final class HeadEncoder {
    /// What the fields of a response may take on the wire.
    public static final int HEAD_BYTES_MAX = 32_768;

    private static final byte[] LENGTH = bytes("Content-Length: ");
    private static final byte[] CHUNKED = bytes("Transfer-Encoding: chunked\r\n");
    private static final byte[] CLOSE = bytes("Connection: close\r\n");
    private static final byte[] KEEP = bytes("Connection: keep-alive\r\n");

    private final byte[] out = new byte[HEAD_BYTES_MAX + 512];
    private byte[] date = {};

    /// An encoder that says no date yet.
    public HeadEncoder() {}

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    /// What is said about the connection.
    public enum Persistence {
        /// Nothing: HTTP/1.1 keeps it.
        SILENT,
        /// That it is kept, which HTTP/1.0 must be told.
        KEEP,
        /// That it ends after this response.
        CLOSE
    }

    /// Sets the date that heads say.
    ///
    /// @param now seconds count
    public void date(Instant now) {
        date = bytes("Date: " + HttpDates.format(now) + "\r\n");
    }

    /// Where a head was written.
    ///
    /// @return valid until the next one
    public byte[] bytes() {
        return out;
    }

    /// Writes a head, up to and with the empty line.
    ///
    /// @param head the head
    /// @param framing how the body ends
    /// @param persistence what is said about the connection
    /// @return how many bytes of [#bytes()] it takes
    public int encode(ResponseHead head, OutFraming framing, Persistence persistence) {
        int at = put(Reasons.line(head.status()), out, 0);
        at = put(date, out, at);
        for (int i = 0; i < head.size(); i += 2) {
            at = put(head.text(i), out, at);
            out[at++] = ':';
            out[at++] = ' ';
            at = put(head.text(i + 1), out, at);
            at = endLine(out, at);
        }
        if (framing == OutFraming.CHUNKED) {
            at = put(CHUNKED, out, at);
        } else if (head.contentLength() >= 0 && !head.bodiless()) {
            at = put(LENGTH, out, at);
            at = put(head.contentLength(), out, at);
            at = endLine(out, at);
        }
        at = switch (persistence) {
            case SILENT -> at;
            case KEEP -> put(KEEP, out, at);
            case CLOSE -> put(CLOSE, out, at);
        };
        return endLine(out, at);
    }

    private static int put(byte[] bytes, byte[] out, int at) {
        System.arraycopy(bytes, 0, out, at, bytes.length);
        return at + bytes.length;
    }

    private static int put(String latin1, byte[] out, int at) {
        int length = latin1.length();
        for (int i = 0; i < length; i++) {
            out[at + i] = (byte) latin1.charAt(i);
        }
        return at + length;
    }

    private static int put(long number, byte[] out, int at) {
        int digits = 1;
        for (long rest = number / 10; rest > 0; rest /= 10) {
            digits++;
        }
        long rest = number;
        for (int i = at + digits - 1; i >= at; i--) {
            out[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
        return at + digits;
    }

    private static int endLine(byte[] out, int at) {
        out[at] = '\r';
        out[at + 1] = '\n';
        return at + 2;
    }
}
