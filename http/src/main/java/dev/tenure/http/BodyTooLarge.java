package dev.tenure.http;

/// A request body has more bytes than its route takes: 413.
public final class BodyTooLarge extends HttpStatusException {
    private static final long serialVersionUID = 1L;

    private final long bytesMax;

    BodyTooLarge(long bytesMax, String sentence) {
        super(413, sentence);
        this.bytesMax = bytesMax;
    }

    /// What the route takes.
    ///
    /// @return bytes
    public long bytesMax() {
        return bytesMax;
    }
}
