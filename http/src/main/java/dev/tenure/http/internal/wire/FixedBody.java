package dev.tenure.http.internal.wire;

import java.util.Optional;

/// A body of announced length. **Source:** RFC 9112 section 6.2.
final class FixedBody implements BodyReader {
    static final FixedBody NONE = new FixedBody(0);

    private long remaining;

    FixedBody(long length) {
        remaining = length;
    }

    @Override
    public int feed(byte[] bytes, int from, int to, Sink sink) {
        int piece = (int) Math.min(remaining, to - from);
        if (piece > 0) {
            remaining -= piece;
            sink.take(bytes, from, from + piece);
        }
        return piece;
    }

    @Override
    public boolean done() {
        return remaining == 0;
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    public Optional<Refusal> refusal() {
        return Optional.empty();
    }
}
