package dev.tenure.uploads.internal;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/// The line that separates parts, as announced by the `Content-Type` of a request.
///
/// **Source:** RFC 2046 section 5.1.1.
public final class Boundary {
    private static final int LENGTH_MAX = 70;
    private static final String MARKS = "'()+_,-./:=? ";

    private final byte[] delimiter;

    private Boundary(String text) {
        this.delimiter = ("\r\n--" + text).getBytes(StandardCharsets.US_ASCII);
    }

    /// A boundary, or why there is none.
    public sealed interface Read {}

    /// A valid boundary.
    ///
    /// @param boundary to parse with
    public record Valid(Boundary boundary) implements Read {}

    /// The type is `multipart/form-data`, but its boundary is missing or broken.
    ///
    /// @param why for the client
    public record Invalid(String why) implements Read {}

    /// The type is another one.
    public record OtherType() implements Read {}

    /// Reads the value of a `Content-Type` field.
    ///
    /// @param contentType the value, empty if there is none
    /// @return a boundary or why there is none
    public static Read read(String contentType) {
        var end = contentType.indexOf(';');
        var type = (end < 0 ? contentType : contentType.substring(0, end)).strip();
        if (!type.toLowerCase(Locale.ROOT).equals("multipart/form-data")) {
            return new OtherType();
        }
        var parameters = Parameters.parse(contentType);
        if (parameters.isEmpty()) {
            return new Invalid("the parameters of the Content-Type are malformed");
        }
        var text = parameters.get().named().getOrDefault("boundary", "");
        if (text.isEmpty()) {
            return new Invalid("the Content-Type has no boundary");
        }
        if (text.length() > LENGTH_MAX || text.endsWith(" ") || !text.chars().allMatch(Boundary::isAllowed)) {
            return new Invalid("the boundary has a character that it may not have, or more than " + LENGTH_MAX);
        }
        return new Valid(new Boundary(text));
    }

    private static boolean isAllowed(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
    }

    /// CRLF, two hyphens, the boundary; a carriage return occurs in it at its start alone.
    byte[] delimiter() {
        return delimiter.clone();
    }
}
