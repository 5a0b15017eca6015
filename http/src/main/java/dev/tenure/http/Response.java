package dev.tenure.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.core.Owned;
import dev.tenure.http.internal.wire.HeadEncoder;
import dev.tenure.http.internal.wire.HttpDates;
import dev.tenure.http.internal.wire.ResponseHead;
import dev.tenure.http.internal.wire.Syntax;
import java.nio.channels.SeekableByteChannel;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/// An answer. What a handler returns moves to the exchange: until then the handler owns it.
///
/// A 200 to GET or HEAD that has an `ETag` or a `Last-Modified` answers conditional requests with 304, and a file
/// answers ranges with 206 or 416, without further code.
///
/// **Owner:** the handler, then the exchange. **Ends:** when it is with the transport. **Threads:** immutable, but
/// bytes are given away and must not change. **Limits:** 32 KiB of header fields. **Fails:**
/// [IllegalArgumentException] for a field that could not be sent as it is (CR, LF, NUL, other controls, beyond
/// Latin-1) or that belongs to the server.
public final class Response {
    private static final byte[] NOTHING = {};
    private static final List<String> OWN_FIELDS = List.of(
            "content-length", "transfer-encoding", "connection", "keep-alive", "upgrade", "trailer", "te", "date");

    private final ResponseHead head;
    private final Content content;

    private Response(ResponseHead head, Content content) {
        this.head = head;
        this.content = content;
    }

    /// A 200.
    ///
    /// @return to be ended by one of its bodies
    public static Builder ok() {
        return new Builder(200);
    }

    /// A 201 with a Location.
    ///
    /// @param location where it is
    /// @return to be ended by one of its bodies
    public static Builder created(String location) {
        return new Builder(201).header("Location", location);
    }

    /// An answer of any status.
    ///
    /// @param status 200 to 599
    /// @return to be ended by one of its bodies
    public static Builder status(int status) {
        return new Builder(status);
    }

    /// The status.
    ///
    /// @return 200 to 599
    public int status() {
        return head.status();
    }

    /// The first header field of a name, as it was set.
    ///
    /// @param name in any case
    /// @return its value
    public Optional<String> header(String name) {
        return head.header(name);
    }

    ResponseHead head() {
        return head;
    }

    Content content() {
        return content;
    }

    @Override
    public String toString() {
        return "response " + head.status();
    }

    /// A response that has no body yet.
    ///
    /// **Threads:** one.
    public static final class Builder {
        private final int status;
        private String[] fields = new String[8];
        private int count;
        private int bytes;

        private Builder(int status) {
            if (status < 200 || status > 599) {
                throw new IllegalArgumentException("status: " + status + " (expected: 200 to 599)");
            }
            this.status = status;
        }

        /// Adds a header field.
        ///
        /// @param name a token
        /// @param value visible Latin-1
        /// @return this
        public Builder header(String name, String value) {
            if (!Syntax.isToken(name)) {
                throw new IllegalArgumentException(
                        "header name of %d characters (expected: a token)".formatted(name.length()));
            }
            if (OWN_FIELDS.contains(name.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "header: " + name + " (expected: a field that is not the server's own)");
            }
            return add(name, value);
        }

        private Builder add(String name, String value) {
            if (!Syntax.isFieldValue(value)) {
                throw new IllegalArgumentException(
                        "header %s: a value with a control character or one beyond Latin-1 (expected: neither)"
                                .formatted(name));
            }
            bytes += name.length() + value.length() + 4;
            if (bytes > HeadEncoder.HEAD_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "header fields: %d bytes (expected: <= %d)".formatted(bytes, HeadEncoder.HEAD_BYTES_MAX));
            }
            if (count == fields.length) {
                fields = Arrays.copyOf(fields, 2 * count);
            }
            fields[count++] = name;
            fields[count++] = value;
            return this;
        }

        /// Replaces the fields of a name, so that there is one.
        private Builder set(String name, String value) {
            int kept = 0;
            for (int i = 0; i < count; i += 2) {
                if (fields[i].equalsIgnoreCase(name)) {
                    bytes -= fields[i].length() + fields[i + 1].length() + 4;
                } else {
                    fields[kept++] = fields[i];
                    fields[kept++] = fields[i + 1];
                }
            }
            count = kept;
            return add(name, value);
        }

        /// Sets the media type.
        ///
        /// @param mime such as `image/jpeg`
        /// @return this
        public Builder type(String mime) {
            return set("Content-Type", mime);
        }

        /// Sets a strong entity tag.
        ///
        /// @param tag without quotes
        /// @return this
        public Builder etag(String tag) {
            if (tag.indexOf('"') >= 0) {
                throw new IllegalArgumentException("etag with a quote (expected: none)");
            }
            return set("ETag", '"' + tag + '"');
        }

        /// Sets when it was last changed.
        ///
        /// @param when seconds count
        /// @return this
        public Builder lastModified(Instant when) {
            return set("Last-Modified", HttpDates.format(when));
        }

        private boolean has(String name) {
            for (int i = 0; i < count; i += 2) {
                if (fields[i].equalsIgnoreCase(name)) {
                    return true;
                }
            }
            return false;
        }

        private Response end(long length, Content content) {
            boolean bodiless = status == 204 || status == 304;
            if (bodiless && length != 0) {
                throw new IllegalArgumentException("status: " + status + " with a body (expected: none)");
            }
            var own = count == fields.length ? fields : Arrays.copyOf(fields, count);
            return new Response(new ResponseHead(status, own, length), content);
        }

        /// Ends without a body.
        ///
        /// @return the response
        public Response empty() {
            return end(0, new Content.Whole(NOTHING));
        }

        /// Ends with a text in UTF-8; `text/plain` unless a type was set.
        ///
        /// @param text the text
        /// @return the response
        public Response text(String text) {
            if (!has("Content-Type")) {
                type("text/plain; charset=utf-8");
            }
            return bytes(text.getBytes(UTF_8));
        }

        /// Ends with bytes.
        ///
        /// @param bytes given away
        /// @return the response
        public Response bytes(byte[] bytes) {
            return end(bytes.length, new Content.Whole(bytes));
        }

        /// Ends with a value as JSON, by the server's codec.
        ///
        /// @param value the value
        /// @return the response
        public Response json(Object value) {
            if (!has("Content-Type")) {
                type("application/json");
            }
            return end(ResponseHead.UNKNOWN, new Content.Json(Objects.requireNonNull(value, "value")));
        }

        /// Ends with a stream, produced on the handler's thread after the handler has returned, inside its scope.
        ///
        /// @param producer writes it
        /// @return the response
        public Response stream(BodyProducer producer) {
            return end(ResponseHead.UNKNOWN, new Content.Streamed(Objects.requireNonNull(producer, "producer")));
        }

        /// Ends with server-sent events, produced like [#stream].
        ///
        /// @param producer sends them
        /// @return the response
        public Response events(EventProducer producer) {
            if (!has("Content-Type")) {
                type("text/event-stream");
            }
            if (!has("Cache-Control")) {
                add("Cache-Control", "no-store");
            }
            return end(ResponseHead.UNKNOWN, new Content.Events(Objects.requireNonNull(producer, "producer")));
        }

        /// Ends with an open file, sent whole or in the range that was asked for. Its handle must be in the
        /// exchange's scope, which ends it after the last byte.
        ///
        /// @param handle the file
        /// @return the response
        public Response file(Owned<? extends SeekableByteChannel> handle) {
            return end(ResponseHead.UNKNOWN, new Content.OpenFile(Objects.requireNonNull(handle, "handle")));
        }
    }
}
