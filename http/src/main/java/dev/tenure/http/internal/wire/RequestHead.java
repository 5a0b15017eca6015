package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A request head that was accepted. Field values become text when they are asked for.
///
/// **Owner:** the exchange; immutable. **Threads:** any. **Source:** RFC 9112 sections 3 and 5.
public final class RequestHead {
    private final byte[] bytes;
    private final long[] spans;
    private final int count;
    private final String method;
    private final String target;
    private final Framing framing;

    RequestHead(RequestLine line, byte[] bytes, long[] spans, Framing framing) {
        this.bytes = bytes;
        this.spans = spans;
        this.count = framing.fields();
        this.method = line.method();
        this.target = line.target();
        this.framing = framing;
    }

    /// The method as it was sent.
    ///
    /// @return for example `GET`
    public String method() {
        return method;
    }

    /// The target in origin form, query included; an absolute one has lost its scheme and authority.
    ///
    /// @return starts with `/`, or is `*`
    public String target() {
        return target;
    }

    /// The announced length of the body.
    ///
    /// @return bytes; -1 if it is chunked, 0 if there is none
    public long contentLength() {
        return framing.chunked() ? -1 : Math.max(0, framing.contentLength());
    }

    /// Whether the body comes in chunks.
    ///
    /// @return false also if there is none
    public boolean chunked() {
        return framing.chunked();
    }

    /// Whether the client takes chunked answers.
    ///
    /// @return false for HTTP/1.0
    public boolean http11() {
        return framing.http11();
    }

    /// Whether the client wants the connection kept.
    ///
    /// @return as its version and its Connection field say
    public boolean keepAlive() {
        return framing.keepAlive();
    }

    /// Whether the client waits for 100 before it sends the body.
    ///
    /// @return false if there is no body
    public boolean expectsContinue() {
        return framing.expectsContinue() && (framing.chunked() || framing.contentLength() > 0);
    }

    /// The first field of a name.
    ///
    /// @param name in any case
    /// @return its value without surrounding blanks
    public Optional<String> header(String name) {
        for (int i = 0; i < count; i++) {
            if (named(i, name)) {
                return Optional.of(value(i));
            }
        }
        return Optional.empty();
    }

    /// All fields of a name, in order.
    ///
    /// @param name in any case
    /// @return their values
    public List<String> headers(String name) {
        var values = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            if (named(i, name)) {
                values.add(value(i));
            }
        }
        return values;
    }

    private boolean named(int index, String name) {
        long span = spans[index];
        int from = Span.nameFrom(span);
        if (Span.nameTo(span) - from != name.length()) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            byte wanted = c < 128 ? Syntax.lower((byte) c) : -1;
            if (Syntax.lower(bytes[from + i]) != wanted) {
                return false;
            }
        }
        return true;
    }

    private String value(int index) {
        long span = spans[index];
        int from = Span.valueFrom(span);
        return new String(bytes, from, Span.valueTo(span) - from, ISO_8859_1);
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%s %s (%d fields)", method, target, count);
    }
}
