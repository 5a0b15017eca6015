package dev.tenure.uploads.internal;

import dev.tenure.uploads.internal.Event.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Reads `multipart/form-data`, strictly: bytes in, events out, whatever the size of the fragments.
///
/// **States:** `PREAMBLE -> TAIL -> (HEAD -> CONTENT -> TAIL)* -> EPILOGUE -> FINISHED`; every state but the last
/// may go to `REFUSED`, which is final. **Threads:** one. **Limits:** as given; it holds one head and no content.
/// **Source:** RFC 7578; RFC 2046 section 5.1.
public final class MultipartParser {
    private static final Event NEED_MORE = new Event.NeedMore();
    private static final Event PART_ENDED = new Event.PartEnded();
    private static final int CRLF = 2;

    private enum State {
        PREAMBLE,
        TAIL,
        HEAD,
        CONTENT,
        EPILOGUE,
        FINISHED,
        REFUSED
    }

    // What may follow a delimiter: blanks and CRLF, or two hyphens, blanks and either CRLF and an epilogue or the end.
    private enum Tail {
        START,
        HYPHEN,
        BLANKS,
        RETURN,
        FREE
    }

    private final byte[] delimiter;
    private final MultipartLimits limits;

    private State state = State.PREAMBLE;
    private Tail tail = Tail.START;
    private Event refusal = NEED_MORE;

    // How much of the delimiter has matched, and how much of that was never content (the CRLF before it).
    private int matched = CRLF;
    private int phantom = CRLF;

    private byte[] head = new byte[256];
    private int headLength;
    private int parts;
    private boolean inPart;
    private long partBytes;
    private long totalBytes;

    /// A parser for one body.
    ///
    /// @param boundary as the request announced it
    /// @param limits to be enforced
    public MultipartParser(Boundary boundary, MultipartLimits limits) {
        this.delimiter = boundary.delimiter();
        this.limits = limits;
    }

    /// The next event; consumes from the buffer what it needed.
    ///
    /// @param in the next bytes of the body; events may be slices of it
    /// @return [Event.NeedMore] only when the buffer is used up
    public Event next(ByteBuffer in) {
        var before = in.position();
        var event = step(in);
        totalBytes += in.position() - before;
        if (totalBytes > limits.totalBytesMax() && state != State.REFUSED) {
            return tooLarge("the body has more than " + limits.totalBytesMax() + " bytes");
        }
        return event;
    }

    /// Says that no byte follows: either all is complete, or the body is refused as cut short.
    ///
    /// @return [Event.Finished] or [Event.Refused]
    public Event end() {
        return switch (state) {
            case EPILOGUE -> finish();
            case FINISHED -> new Event.Finished();
            case REFUSED -> refusal;
            case PREAMBLE -> malformed("the body ends before its first boundary");
            case TAIL, HEAD, CONTENT -> malformed("the body ends before its closing boundary");
        };
    }

    private Event finish() {
        if (tail == Tail.RETURN) {
            return malformed("the body ends within the line of its closing boundary");
        }
        state = State.FINISHED;
        return new Event.Finished();
    }

    private Event step(ByteBuffer in) {
        while (in.hasRemaining()) {
            var event = switch (state) {
                case PREAMBLE, CONTENT -> content(in);
                case TAIL -> tail(in);
                case HEAD -> head(in);
                case EPILOGUE -> epilogue(in);
                case FINISHED -> malformed("bytes come after the end of the body");
                case REFUSED -> refusal;
            };
            if (!(event instanceof Event.NeedMore)) {
                return event;
            }
        }
        return state == State.REFUSED ? refusal : NEED_MORE;
    }

    private Event content(ByteBuffer in) {
        return matched > 0 ? resume(in) : scan(in);
    }

    // Goes on with a delimiter of which the fragments before this one held the beginning.
    private Event resume(ByteBuffer in) {
        while (in.hasRemaining() && matched < delimiter.length && in.get(in.position()) == delimiter[matched]) {
            in.get();
            matched++;
        }
        if (matched == delimiter.length) {
            delimited();
            return NEED_MORE;
        }
        if (!in.hasRemaining()) {
            return NEED_MORE;
        }
        var held = ByteBuffer.wrap(delimiter, phantom, Math.max(0, matched - phantom))
                .asReadOnlyBuffer();
        matched = 0;
        phantom = 0;
        return held.hasRemaining() ? bytes(held) : NEED_MORE;
    }

    // Everything up to the next delimiter, or up to what may become one, is content.
    private Event scan(ByteBuffer in) {
        var from = in.position();
        for (var at = nextReturn(in, from); at < in.limit(); at = nextReturn(in, at + 1)) {
            var same = matchAt(in, at);
            if (same == delimiter.length || at + same == in.limit()) {
                return candidate(in, at, same);
            }
        }
        in.position(in.limit());
        return bytes(in.slice(from, in.limit() - from));
    }

    // The array behind a buffer is read several times as fast as the buffer.
    private static int nextReturn(ByteBuffer in, int from) {
        var limit = in.limit();
        var at = from;
        if (in.hasArray()) {
            var bytes = in.array();
            var offset = in.arrayOffset();
            while (at < limit && bytes[offset + at] != '\r') {
                at++;
            }
        } else {
            while (at < limit && in.get(at) != '\r') {
                at++;
            }
        }
        return at;
    }

    private Event candidate(ByteBuffer in, int at, int same) {
        var from = in.position();
        in.position(at + same);
        matched = same;
        if (same == delimiter.length) {
            delimited();
        }
        return at > from ? bytes(in.slice(from, at - from)) : NEED_MORE;
    }

    private int matchAt(ByteBuffer in, int at) {
        var same = 0;
        while (same < delimiter.length && at + same < in.limit() && in.get(at + same) == delimiter[same]) {
            same++;
        }
        return same;
    }

    private void delimited() {
        matched = 0;
        phantom = 0;
        state = State.TAIL;
        tail = Tail.START;
    }

    private Event bytes(ByteBuffer content) {
        if (!inPart) {
            return NEED_MORE; // the preamble says nothing to us
        }
        partBytes += content.remaining();
        if (partBytes > limits.partBytesMax()) {
            return tooLarge(limits.partTooLarge()
                    .orElseGet(() -> "part " + parts + " has more than " + limits.partBytesMax() + " bytes"));
        }
        return new Event.PartBytes(content);
    }

    private Event tail(ByteBuffer in) {
        while (in.hasRemaining() && state == State.TAIL) {
            if (!tailByte(in.get())) {
                return malformed("a boundary is followed by something else than the end of its line");
            }
        }
        if (state == State.TAIL || !inPart) {
            return NEED_MORE;
        }
        inPart = false;
        return PART_ENDED;
    }

    private boolean tailByte(byte b) {
        return switch (tail) {
            case START -> b == '-' ? goOn(Tail.HYPHEN) : blankOrReturn(b);
            case HYPHEN -> b == '-' && enter(State.EPILOGUE, Tail.BLANKS);
            case BLANKS -> blankOrReturn(b);
            case RETURN -> b == '\n' && enter(State.HEAD, Tail.START);
            case FREE -> false;
        };
    }

    private boolean blankOrReturn(byte b) {
        return b == '\r' ? goOn(Tail.RETURN) : (b == ' ' || b == '\t') && goOn(Tail.BLANKS);
    }

    private boolean goOn(Tail next) {
        tail = next;
        return true;
    }

    private boolean enter(State next, Tail within) {
        state = next;
        return goOn(within);
    }

    private Event epilogue(ByteBuffer in) {
        while (in.hasRemaining() && tail != Tail.FREE) {
            var b = in.get();
            var expected = tail == Tail.RETURN ? b == '\n' && goOn(Tail.FREE) : blankOrReturn(b);
            if (!expected) {
                return malformed("the closing boundary is followed by something else than the end of its line");
            }
        }
        in.position(in.limit());
        return NEED_MORE;
    }

    private Event head(ByteBuffer in) {
        while (in.hasRemaining()) {
            if (headLength == limits.partHeadBytesMax()) {
                return tooLarge("the head of a part has more than " + limits.partHeadBytesMax() + " bytes");
            }
            var b = in.get();
            if (breaksLine(b)) {
                return malformed("a line in the head of a part does not end in CR LF");
            }
            keep(b);
            if (headEnded()) {
                return begin();
            }
        }
        return NEED_MORE;
    }

    private boolean breaksLine(byte b) {
        var afterReturn = headLength > 0 && head[headLength - 1] == '\r';
        return afterReturn != (b == '\n');
    }

    private void keep(byte b) {
        if (headLength == head.length) {
            head = Arrays.copyOf(head, Math.min(head.length * 2, limits.partHeadBytesMax()));
        }
        head[headLength++] = b;
    }

    private boolean headEnded() {
        var emptyLine = headLength >= CRLF && head[headLength - 1] == '\n';
        return emptyLine && (headLength == CRLF || head[headLength - CRLF - 1] == '\n');
    }

    private Event begin() {
        if (parts == limits.partsMax()) {
            return tooLarge("the body has more than " + limits.partsMax() + " parts");
        }
        var lines = ByteBuffer.wrap(head, 0, headLength - CRLF);
        headLength = 0;
        return switch (PartHead.read(lines)) {
            case PartHead.Invalid invalid -> malformed(invalid.why());
            case PartHead.Valid valid -> begin(valid.head());
        };
    }

    private Event begin(PartHead valid) {
        parts++;
        partBytes = 0;
        inPart = true;
        state = State.CONTENT;
        matched = CRLF; // the empty line may be the one before the delimiter: such a part has no content
        phantom = CRLF;
        return new Event.PartBegan(valid);
    }

    private Event malformed(String why) {
        return refuse(Kind.MALFORMED, why);
    }

    private Event tooLarge(String why) {
        return refuse(Kind.TOO_LARGE, why);
    }

    private Event refuse(Kind kind, String why) {
        state = State.REFUSED;
        refusal = new Event.Refused(kind, why);
        return refusal;
    }
}
