package dev.tenure.http.internal.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.List;

/// A pattern such as `/photos/{id}` or `/{path...}`.
///
/// @param text as it was written
/// @param segments one each
record PathPattern(String text, List<Segment> segments) {
    static final int BYTES_MAX = 4_096;
    static final int SEGMENTS_MAX = 64;
    private static final int SHOWN = 64;

    /// What one segment matches.
    ///
    /// @param kind how
    /// @param word the literal, or the parameter's name
    record Segment(Kind kind, String word) {}

    /// How a segment matches.
    enum Kind {
        /// Itself alone.
        LITERAL,
        /// One segment, not empty.
        PARAMETER,
        /// All that is left, even nothing.
        REST
    }

    static PathPattern parse(String text) {
        if (text.length() > BYTES_MAX || text.getBytes(UTF_8).length > BYTES_MAX) {
            throw new IllegalArgumentException("route pattern: %s... of %d characters (expected: <= %d bytes)"
                    .formatted(text.substring(0, SHOWN), text.length(), BYTES_MAX));
        }
        if (!text.startsWith("/")) {
            throw wrong(text, "a pattern that starts with '/'");
        }
        var segments = new ArrayList<Segment>();
        for (int from = 1; text.length() > 1 && from <= text.length(); ) {
            int slash = text.indexOf('/', from);
            int to = slash < 0 ? text.length() : slash;
            segments.add(segment(text, text.substring(from, to), to == text.length()));
            from = to + 1;
        }
        if (segments.size() > SEGMENTS_MAX) {
            throw wrong(text, "<= %d segments, not %d".formatted(SEGMENTS_MAX, segments.size()));
        }
        var pattern = new PathPattern(text, List.copyOf(segments));
        if (pattern.names().stream().distinct().count() < pattern.names().size()) {
            throw wrong(text, "each parameter once");
        }
        return pattern;
    }

    private static Segment segment(String text, String part, boolean last) {
        if (!part.startsWith("{")) {
            if (part.indexOf('{') >= 0 || part.indexOf('}') >= 0 || part.indexOf('%') >= 0) {
                throw wrong(text, "parameters that take a whole segment, and literals as they are decoded");
            }
            return new Segment(Kind.LITERAL, part);
        }
        boolean rest = part.endsWith("...}");
        String name = part.substring(1, Math.max(1, part.length() - (rest ? 4 : 1)));
        if (!part.endsWith("}") || name.isEmpty() || name.chars().anyMatch(c -> !Character.isLetterOrDigit(c))) {
            throw wrong(text, "parameters as {name} or {name...}");
        }
        if (rest && !last) {
            throw wrong(text, "{name...} at the end alone");
        }
        return new Segment(rest ? Kind.REST : Kind.PARAMETER, name);
    }

    List<String> names() {
        return segments.stream()
                .filter(segment -> segment.kind() != Kind.LITERAL)
                .map(Segment::word)
                .toList();
    }

    private static IllegalArgumentException wrong(String text, String expected) {
        return new IllegalArgumentException("route pattern: " + text + " (expected: " + expected + ")");
    }
}
