package dev.tenure.http.internal.wire;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A body in chunks, read strictly: hexadecimal sizes without blanks, CR LF after every line and chunk, bounded
/// extensions and trailers. Both are checked and dropped.
///
/// **States:** `SIZE -> (EXTENSION ->) SIZE_LF -> DATA -> DATA_CR -> DATA_LF -> SIZE`, after the size 0
/// `TRAILER_START -> TRAILER_NAME -> TRAILER_VALUE -> TRAILER_LF -> TRAILER_START -> END_LF -> DONE`. **Source:** RFC
/// 9112 section 7.1.
final class ChunkedBody implements BodyReader {
    private enum State {
        SIZE,
        EXTENSION,
        SIZE_LF,
        DATA,
        DATA_CR,
        DATA_LF,
        TRAILER_START,
        TRAILER_NAME,
        TRAILER_VALUE,
        TRAILER_LF,
        END_LF,
        DONE
    }

    private static final int SIZE_DIGITS_MAX = 15;

    private State state = State.SIZE;
    private long size;
    private int digits;
    private int lineBytes;
    private int trailerBytes;
    private int trailers;
    private @Nullable Refusal refusal;

    @Override
    public int feed(byte[] bytes, int from, int to, Sink sink) {
        int i = from;
        while (i < to && state != State.DONE && refusal == null) {
            if (state == State.DATA) {
                int piece = (int) Math.min(size, to - i);
                size -= piece;
                state = size == 0 ? State.DATA_CR : State.DATA;
                sink.take(bytes, i, i + piece);
                i += piece;
            } else {
                step(bytes[i]);
                i++;
            }
        }
        return i - from;
    }

    private void step(byte b) {
        switch (state) {
            case SIZE -> size(b);
            case EXTENSION -> extension(b);
            case SIZE_LF -> sizeEnded(b);
            case DATA_CR -> expect(b, '\r', State.DATA_LF);
            case DATA_LF -> chunkEnded(b);
            case TRAILER_START -> trailerStart(b);
            case TRAILER_NAME -> trailerName(b);
            case TRAILER_VALUE -> trailerValue(b);
            case TRAILER_LF -> expect(b, '\n', State.TRAILER_START);
            case END_LF -> expect(b, '\n', State.DONE);
            case DATA, DONE -> throw new IllegalStateException("no framing byte is expected in state " + state);
        }
    }

    private void size(byte b) {
        int digit = Character.digit(b, 16);
        if (b >= 0 && digit >= 0) {
            size = size * 16 + digit;
            if (++digits > SIZE_DIGITS_MAX) {
                refusal = Refusals.SIZE_DIGITS;
            }
        } else if (digits == 0) {
            refusal = Refusals.NO_SIZE;
        } else if (b == '\r') {
            state = State.SIZE_LF;
        } else if (b == ';') {
            state = State.EXTENSION;
        } else {
            refusal = Refusals.SIZE;
        }
    }

    private void extension(byte b) {
        if (b == '\r') {
            state = State.SIZE_LF;
        } else if (isControl(b)) {
            refusal = Refusals.EXTENSION;
        } else if (++lineBytes > WireLimits.CHUNK_LINE_BYTES_MAX) {
            refusal = Refusals.CHUNK_LINE;
        }
    }

    private void sizeEnded(byte b) {
        expect(b, '\n', size == 0 ? State.TRAILER_START : State.DATA);
        lineBytes = 0;
        digits = 0;
    }

    private void chunkEnded(byte b) {
        expect(b, '\n', State.SIZE);
        size = 0;
    }

    private void trailerStart(byte b) {
        if (b == '\r') {
            state = State.END_LF;
            return;
        }
        if (++trailers > WireLimits.TRAILER_FIELDS_MAX) {
            refusal = Refusals.TRAILERS;
            return;
        }
        if (!Syntax.isToken(b)) {
            refusal = Refusals.TRAILER;
            return;
        }
        state = State.TRAILER_NAME;
        countTrailer();
    }

    private void trailerName(byte b) {
        if (b == ':') {
            state = State.TRAILER_VALUE;
        } else if (!Syntax.isToken(b)) {
            refusal = Refusals.TRAILER;
        }
        countTrailer();
    }

    private void trailerValue(byte b) {
        if (b == '\r') {
            state = State.TRAILER_LF;
        } else if (isControl(b)) {
            refusal = Refusals.TRAILER_CONTROL;
        }
        countTrailer();
    }

    private void countTrailer() {
        if (++trailerBytes > WireLimits.TRAILER_BYTES_MAX && refusal == null) {
            refusal = Refusals.TRAILER_BYTES;
        }
    }

    private static boolean isControl(byte b) {
        return (b >= 0 && b < ' ' && b != '\t') || b == 0x7f;
    }

    private void expect(byte b, char wanted, State after) {
        if (b == wanted) {
            state = after;
        } else {
            refusal = Refusals.CHUNK_END;
        }
    }

    @Override
    public boolean done() {
        return state == State.DONE;
    }

    @Override
    public long remaining() {
        return -1;
    }

    @Override
    public Optional<Refusal> refusal() {
        return Optional.ofNullable(refusal);
    }
}
