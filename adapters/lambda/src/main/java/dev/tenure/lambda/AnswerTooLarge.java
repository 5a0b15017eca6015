package dev.tenure.lambda;

/// An answer has more bytes, as the event that carries it, than the platform takes: the client gets 500, the observer
/// this.
public final class AnswerTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final long bytes;
    private final int bytesMax;

    AnswerTooLarge(long bytes, int bytesMax) {
        super("the answer has %d bytes as an event, and the platform takes %d: answer with a link, or in parts"
                .formatted(bytes, bytesMax));
        this.bytes = bytes;
        this.bytesMax = bytesMax;
    }

    /// What it has, base64 and escapes counted.
    ///
    /// @return bytes
    public long bytes() {
        return bytes;
    }

    /// What there may be.
    ///
    /// @return bytes
    public int bytesMax() {
        return bytesMax;
    }
}
