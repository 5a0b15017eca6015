package dev.tenure.http.internal.files;

/// What a Range field comes to, for a representation of known length. One range of bytes is served; several, or none
/// that is understood, mean the whole.
///
/// **Source:** RFC 9110 section 14.
public sealed interface ByteRange {
    /// All of it.
    record Whole() implements ByteRange {}

    /// A part of it.
    ///
    /// @param from the first byte
    /// @param to after the last
    record Part(long from, long to) implements ByteRange {}

    /// Nothing of it: 416.
    record Unsatisfiable() implements ByteRange {}

    /// Reads a Range field.
    ///
    /// @param field its value
    /// @param length of the representation
    /// @return what is asked for
    static ByteRange parse(String field, long length) {
        String unit = "bytes=";
        if (!field.regionMatches(true, 0, unit, 0, unit.length()) || field.indexOf(',') >= 0) {
            return new Whole();
        }
        String spec = field.substring(unit.length()).strip();
        int dash = spec.indexOf('-');
        if (dash < 0) {
            return new Whole();
        }
        long first = number(spec.substring(0, dash));
        long last = number(spec.substring(dash + 1));
        if (first == BAD || last == BAD || (first == ABSENT && last == ABSENT)) {
            return new Whole();
        }
        if (first == ABSENT) {
            return last == 0 || length == 0 ? new Unsatisfiable() : new Part(Math.max(0, length - last), length);
        }
        if (last != ABSENT && last < first) {
            return new Whole();
        }
        if (first >= length) {
            return new Unsatisfiable();
        }
        return new Part(first, last == ABSENT || last >= length ? length : last + 1);
    }

    /// No number at all.
    long ABSENT = -1;

    /// What is no number.
    long BAD = -2;

    private static long number(String text) {
        if (text.isEmpty()) {
            return ABSENT;
        }
        if (text.length() > 18) {
            return text.chars().allMatch(c -> c >= '0' && c <= '9') ? Long.MAX_VALUE - 1 : BAD;
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return BAD;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
