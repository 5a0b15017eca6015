package dev.tenure.http.internal.wire;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Turns bytes, in pieces of any size, into request heads. Lines end in CR LF and in nothing else.
///
/// **Owner:** one connection. **States:** `EMPTY -> PARTIAL -> COMPLETE -> EMPTY`, or `REFUSED` for good.
/// **Threads:** one. **Limits:** [WireLimits]; a head that came in one piece is copied once. **Fails:** [#refusal()].
/// **Source:** RFC 9112 sections 2, 3 and 5.
public final class HeadParser {
    /// How far a head has come.
    public enum State {
        /// Not a byte of the next head.
        EMPTY,
        /// Some of it.
        PARTIAL,
        /// All of it: [HeadParser#take()].
        COMPLETE,
        /// Never more: [HeadParser#refusal()].
        REFUSED
    }

    private static final byte[] NOTHING = {};
    private static final int FIELDS_AT_FIRST = 8;

    private final WireLimits limits;
    private State state = State.EMPTY;

    /// The head so far, if it did not come in one piece.
    private byte[] kept = NOTHING;

    private int length;

    /// Offsets into the head: where the present line starts, and the first byte not looked at.
    private int lineFrom;

    private int next;
    private boolean blankSkipped;
    private @Nullable RequestLine line;
    private long[] spans = {};
    private Framing framing = new Framing();
    private @Nullable RequestHead head;
    private @Nullable Refusal refusal;

    /// A parser in state `EMPTY`.
    ///
    /// @param limits what a head may cost
    public HeadParser(WireLimits limits) {
        this.limits = limits;
    }

    /// How far it is.
    ///
    /// @return the state
    public State state() {
        return state;
    }

    /// Why it refused.
    ///
    /// @return empty unless `REFUSED`
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }

    /// Gives the head away and starts over.
    ///
    /// @return the head of state `COMPLETE`
    public RequestHead take() {
        RequestHead taken = head;
        if (taken == null) {
            throw new IllegalStateException("no request head to take: the parser is " + state);
        }
        head = null;
        state = State.EMPTY;
        return taken;
    }

    /// Takes bytes up to the end of a head.
    ///
    /// @param bytes read, not kept
    /// @param from the first byte
    /// @param to after the last
    /// @return how many bytes belonged to the head; the rest is the caller's
    public int feed(byte[] bytes, int from, int to) {
        if (state == State.COMPLETE || state == State.REFUSED || from == to) {
            return 0;
        }
        state = State.PARTIAL;
        if (length == 0) {
            scan(bytes, from, to - from);
            if (state == State.PARTIAL) {
                keep(bytes, from, to);
            }
            return state == State.COMPLETE ? consumed(0) : to - from;
        }
        int before = length;
        keep(bytes, from, to);
        scan(kept, 0, length);
        return state == State.COMPLETE ? consumed(before) : to - from;
    }

    private int consumed(int before) {
        int taken = next - before;
        kept = NOTHING;
        length = 0;
        lineFrom = 0;
        next = 0;
        return taken;
    }

    /// Keeps a piece, but never much more than a head may have: what lies beyond is refused by then.
    private void keep(byte[] bytes, int from, int to) {
        int piece = Math.min(to - from, limits.headBytesMax() + 3 - length);
        if (kept.length < length + piece) {
            kept = Arrays.copyOf(kept, Math.max(length + piece, Math.min(2 * length, limits.headBytesMax() + 3)));
        }
        System.arraycopy(bytes, from, kept, length, piece);
        length += piece;
    }

    /// Looks at each byte once. Offsets are relative to `base`.
    private void scan(byte[] b, int base, int size) {
        int i = next;
        while (i < size && state == State.PARTIAL) {
            byte at = b[base + i];
            if (at == '\r') {
                if (i + 1 == size) {
                    break;
                }
                if (b[base + i + 1] != '\n') {
                    refuse(Refusals.STRAY_CR);
                    break;
                }
                lineEnded(b, base, i);
                i += 2;
                lineFrom = i;
            } else if ((at >= 0 && at < ' ' && at != '\t') || at == 0x7f) {
                refuse(at == '\n' ? Refusals.BARE_LF : Refusals.CONTROL);
            } else {
                i++;
            }
        }
        next = i;
        if (state == State.PARTIAL) {
            checkSize(i - lineFrom, i);
        }
    }

    private void checkSize(int lineBytes, int headBytes) {
        if (lineBytes > limits.lineBytesMax()) {
            refuse(
                    line == null
                            ? tooMuch(414, "the request line has more than %d bytes", limits.lineBytesMax())
                            : tooMuch(431, "a field line has more than %d bytes", limits.lineBytesMax()));
        } else if (headBytes > limits.headBytesMax()) {
            refuse(tooMuch(431, "the head has more than %d bytes", limits.headBytesMax()));
        }
    }

    private static Refusal tooMuch(int status, String sentence, int limit) {
        return new Refusal(status, sentence.formatted(limit));
    }

    private void lineEnded(byte[] b, int base, int to) {
        checkSize(to - lineFrom, to + 2);
        if (state != State.PARTIAL) {
            return;
        }
        if (line == null) {
            requestLine(b, base, to);
        } else if (to == lineFrom) {
            complete(b, base, to + 2);
        } else {
            fieldLine(b, base, to);
        }
    }

    private void requestLine(byte[] b, int base, int to) {
        if (to == lineFrom) {
            if (blankSkipped) {
                refuse(Refusals.EMPTY_LINES);
            }
            blankSkipped = true;
            return;
        }
        try {
            RequestLine parsed = RequestLine.parse(b, base + lineFrom, base + to);
            framing.version(parsed.http11());
            line = parsed;
            spans = new long[FIELDS_AT_FIRST];
        } catch (RequestLine.Refused refused) {
            refuse(refused.refusal());
        }
    }

    private void fieldLine(byte[] b, int base, int to) {
        int colon = lineFrom;
        while (colon < to && Syntax.isToken(b[base + colon])) {
            colon++;
        }
        if (colon == lineFrom || colon == to || b[base + colon] != ':') {
            boolean blank = colon < to && Syntax.isBlank(b[base + colon]);
            refuse(!blank ? Refusals.FIELD : colon == lineFrom ? Refusals.FOLDED : Refusals.BLANK_COLON);
            return;
        }
        int valueFrom = colon + 1;
        int valueTo = to;
        while (valueFrom < valueTo && Syntax.isBlank(b[base + valueFrom])) {
            valueFrom++;
        }
        while (valueTo > valueFrom && Syntax.isBlank(b[base + valueTo - 1])) {
            valueTo--;
        }
        addField(b, base, Span.of(lineFrom, colon, valueFrom, valueTo));
    }

    private void addField(byte[] b, int base, long span) {
        int count = framing.fields();
        if (count == limits.fieldsMax()) {
            refuse(tooMuch(431, "the head has more than %d fields", limits.fieldsMax()));
            return;
        }
        if (count == spans.length) {
            spans = Arrays.copyOf(spans, Math.min(2 * count, limits.fieldsMax()));
        }
        spans[count] = span;
        Refusal wrong = framing.field(b, base, span);
        if (wrong != null) {
            refuse(wrong);
        }
    }

    /// Whether the head fills our own array, so that it need not be copied.
    @SuppressWarnings("ReferenceEquality") // the same array is meant, not the same bytes
    private static boolean isWholeOf(byte[] kept, byte[] b, int size) {
        return b == kept && size == kept.length;
    }

    private void complete(byte[] b, int base, int size) {
        Refusal wrong = framing.complete();
        RequestLine first = line;
        if (wrong != null || first == null) {
            refuse(wrong == null ? Refusals.THREE_PARTS : wrong);
            return;
        }
        byte[] own = isWholeOf(kept, b, size) ? b : Arrays.copyOfRange(b, base, base + size);
        head = new RequestHead(first, own, spans, framing);
        line = null;
        framing = new Framing();
        blankSkipped = false;
        state = State.COMPLETE;
    }

    private void refuse(Refusal why) {
        refusal = why;
        state = State.REFUSED;
        kept = NOTHING;
    }
}
