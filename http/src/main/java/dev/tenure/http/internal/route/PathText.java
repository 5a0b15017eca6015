package dev.tenure.http.internal.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Decodes what stands in targets, strictly: whole percent triplets, UTF-8 without overlong forms, no control
/// characters. Nothing is resolved, and nothing decoded twice: a path with dot segments is a path of nothing.
///
/// **Source:** RFC 3986 sections 2.1 and 3.3.
public final class PathText {
    /// What a path is.
    public sealed interface Path {
        /// One that may lead somewhere.
        ///
        /// @param names decoded, each on its own; none for the root
        record Segments(List<String> names) implements Path {}

        /// Well-formed, but nothing here has such a name: a segment `.` or `..`, plain or encoded, a control
        /// character, or octets that are no UTF-8.
        record Nowhere() implements Path {}

        /// Not of the syntax of RFC 3986: a percent sign without two digits, or an octet that should have been encoded.
        record Malformed() implements Path {}
    }

    private PathText() {}

    /// The path of a target.
    ///
    /// @param target in origin form
    /// @return without the query
    public static String pathOf(String target) {
        int query = target.indexOf('?');
        return query < 0 ? target : target.substring(0, query);
    }

    /// The segments of a path, each decoded on its own; the root has none.
    ///
    /// @param path starts with `/`
    /// @return what it is
    public static Path segments(String path) {
        var segments = new ArrayList<String>(4);
        if (path.length() == 1) {
            return new Path.Segments(segments);
        }
        for (int from = 1; from <= path.length(); ) {
            int slash = path.indexOf('/', from);
            int to = slash < 0 ? path.length() : slash;
            Optional<String> segment = decode(path.substring(from, to), false);
            if (segment.isEmpty() || segment.get().equals(".") || segment.get().equals("..")) {
                return isEncoded(path) ? new Path.Nowhere() : new Path.Malformed();
            }
            segments.add(segment.get());
            from = to + 1;
        }
        return new Path.Segments(segments);
    }

    private static boolean isEncoded(String path) {
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c > 0x7e || c <= ' ' || (c == '%' && triplet(path, i) < 0)) {
                return false;
            }
        }
        return true;
    }

    /// Decodes percent triplets.
    ///
    /// @param text as sent, one character a byte
    /// @param form whether `+` is a space, as in a query
    /// @return empty if it is malformed
    public static Optional<String> decode(String text, boolean form) {
        if (isPlain(text, form)) {
            return Optional.of(text);
        }
        byte[] bytes = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int value = c == '+' && form ? ' ' : c;
            if (c == '%') {
                value = triplet(text, i);
                i += 2;
            }
            if (value < ' ' || value == 0x7f || value > 0xff) {
                return Optional.empty();
            }
            bytes[length++] = (byte) value;
        }
        try {
            return Optional.of(
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static boolean isPlain(String text, boolean form) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%' || c > 0x7e || c < ' ' || (c == '+' && form)) {
                return false;
            }
        }
        return true;
    }

    /// The value of `%XX`, or -1.
    private static int triplet(String text, int at) {
        if (at + 2 >= text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(at + 1), 16);
        int low = Character.digit(text.charAt(at + 2), 16);
        boolean ascii = text.charAt(at + 1) < 128 && text.charAt(at + 2) < 128;
        return high < 0 || low < 0 || !ascii ? -1 : high * 16 + low;
    }
}
