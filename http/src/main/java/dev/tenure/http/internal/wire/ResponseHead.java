package dev.tenure.http.internal.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/// A response head as its author gave it, checked when it was built; framing and connection fields are the engine's.
///
/// **Owner:** the response; immutable. **Threads:** any.
public final class ResponseHead {
    /// A length that is not known.
    public static final long UNKNOWN = -1;

    private final int status;
    private final String[] fields;
    private final long contentLength;
    private final boolean close;

    /// A head with fields.
    ///
    /// @param status 200 to 599
    /// @param fields names and values in turn, checked by the caller; not copied
    /// @param contentLength of the body, or [#UNKNOWN]
    public ResponseHead(int status, String[] fields, long contentLength) {
        this(status, fields, contentLength, false);
    }

    private ResponseHead(int status, String[] fields, long contentLength, boolean close) {
        this.status = status;
        this.fields = fields;
        this.contentLength = contentLength;
        this.close = close;
    }

    /// The status.
    ///
    /// @return 200 to 599
    public int status() {
        return status;
    }

    /// The length of the body.
    ///
    /// @return -1 if it is not known
    public long contentLength() {
        return contentLength;
    }

    /// Whether its author wants the connection closed after it.
    ///
    /// @return false lets the engine decide
    public boolean close() {
        return close;
    }

    /// The same head on a connection that ends after it.
    ///
    /// @return a head whose [#close()] is true
    public ResponseHead closing() {
        return close ? this : new ResponseHead(status, fields, contentLength, true);
    }

    /// Whether its status forbids a body.
    ///
    /// @return true for 204 and 304
    public boolean bodiless() {
        return status == 204 || status == 304;
    }

    /// The first field of a name.
    ///
    /// @param name in any case
    /// @return its value
    public Optional<String> header(String name) {
        for (int i = 0; i < fields.length; i += 2) {
            if (fields[i].equalsIgnoreCase(name)) {
                return Optional.of(fields[i + 1]);
            }
        }
        return Optional.empty();
    }

    /// The same fields with another status and length.
    ///
    /// @param otherStatus 200 to 599
    /// @param length of the body, or [#UNKNOWN]
    /// @param added names and values in turn
    /// @return the head
    public ResponseHead as(int otherStatus, long length, String... added) {
        String[] all = Arrays.copyOf(fields, fields.length + added.length);
        System.arraycopy(added, 0, all, fields.length, added.length);
        return new ResponseHead(otherStatus, all, length, close);
    }

    int size() {
        return fields.length;
    }

    String text(int index) {
        return fields[index];
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d (%d fields)", status, fields.length / 2);
    }
}
