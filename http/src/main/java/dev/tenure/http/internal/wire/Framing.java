package dev.tenure.http.internal.wire;

import org.jspecify.annotations.Nullable;

/// Gathers from the fields of one head what decides where its message ends. Whatever two readers could read in two
/// ways is refused, never guessed.
///
/// **Owner:** one [HeadParser], then the head. **Source:** RFC 9112 sections 3.2, 6 and 9.3; RFC 9110 section 10.1.1.
final class Framing {
    private static final int LENGTH_DIGITS_MAX = 18;

    private boolean http11;
    private int fields;
    private int hosts;
    private long contentLength = -1;
    private boolean coded;
    private boolean chunked;
    private boolean close;
    private boolean keep;
    private boolean expects;

    void version(boolean is11) {
        http11 = is11;
    }

    int fields() {
        return fields;
    }

    long contentLength() {
        return contentLength;
    }

    boolean chunked() {
        return chunked;
    }

    boolean http11() {
        return http11;
    }

    boolean keepAlive() {
        return http11 ? !close : keep && !close;
    }

    boolean expectsContinue() {
        return expects && http11;
    }

    /// Takes one field. Only the names that concern it are looked at.
    @Nullable
    Refusal field(byte[] b, int base, long span) {
        fields++;
        int from = base + Span.nameFrom(span);
        int to = base + Span.nameTo(span);
        int valueFrom = base + Span.valueFrom(span);
        int valueTo = base + Span.valueTo(span);
        return switch (to - from) {
            case 4 -> Syntax.same(b, from, to, "host") ? host(b, valueFrom, valueTo) : null;
            case 6 -> Syntax.same(b, from, to, "expect") ? expect(b, valueFrom, valueTo) : null;
            case 10 -> Syntax.same(b, from, to, "connection") ? connection(b, valueFrom, valueTo) : null;
            case 14 -> Syntax.same(b, from, to, "content-length") ? length(b, valueFrom, valueTo) : null;
            case 17 -> Syntax.same(b, from, to, "transfer-encoding") ? coding(b, valueFrom, valueTo) : null;
            default -> null;
        };
    }

    /// What can be said only when all fields were seen.
    @Nullable
    Refusal complete() {
        if (http11 && hosts == 0) {
            return Refusals.NO_HOST;
        }
        if (coded && contentLength >= 0) {
            return Refusals.TWO_FRAMINGS;
        }
        if (coded && !http11) {
            return Refusals.CODING_10;
        }
        return null;
    }

    private @Nullable Refusal host(byte[] b, int from, int to) {
        if (++hosts > 1) {
            return Refusals.HOSTS;
        }
        for (int i = from; i < to; i++) {
            if (!Syntax.isHost(b[i])) {
                return Refusals.HOST;
            }
        }
        return null;
    }

    private @Nullable Refusal expect(byte[] b, int from, int to) {
        if (!Syntax.same(b, from, to, "100-continue")) {
            return Refusals.EXPECT;
        }
        expects = true;
        return null;
    }

    private @Nullable Refusal connection(byte[] b, int from, int to) {
        int start = from;
        while (start <= to) {
            int end = start;
            while (end < to && b[end] != ',') {
                end++;
            }
            option(b, start, end);
            start = end + 1;
        }
        return null;
    }

    private void option(byte[] b, int start, int end) {
        int from = start;
        int to = end;
        while (from < to && Syntax.isBlank(b[from])) {
            from++;
        }
        while (to > from && Syntax.isBlank(b[to - 1])) {
            to--;
        }
        close |= Syntax.same(b, from, to, "close");
        keep |= Syntax.same(b, from, to, "keep-alive");
    }

    private @Nullable Refusal length(byte[] b, int from, int to) {
        if (contentLength >= 0) {
            return Refusals.LENGTHS;
        }
        if (from == to || to - from > LENGTH_DIGITS_MAX) {
            return Refusals.LENGTH_SIZE;
        }
        long length = 0;
        for (int i = from; i < to; i++) {
            if (b[i] < '0' || b[i] > '9') {
                return Refusals.LENGTH;
            }
            length = length * 10 + (b[i] - '0');
        }
        contentLength = length;
        return null;
    }

    private @Nullable Refusal coding(byte[] b, int from, int to) {
        if (coded) {
            return Refusals.CODINGS;
        }
        coded = true;
        if (Syntax.same(b, from, to, "chunked")) {
            chunked = true;
            return null;
        }
        int last = to;
        while (last > from && b[last - 1] != ',') {
            last--;
        }
        int word = last;
        while (word < to && Syntax.isBlank(b[word])) {
            word++;
        }
        boolean single = last == from;
        if (single || !Syntax.same(b, word, to, "chunked") || mentions(b, from, last - 1)) {
            return Refusals.NOT_CHUNKED;
        }
        return Refusals.OTHER_CODING;
    }

    private static boolean mentions(byte[] b, int from, int to) {
        for (int i = from; i + 7 <= to; i++) {
            if (Syntax.same(b, i, i + 7, "chunked")) {
                return true;
            }
        }
        return false;
    }
}
