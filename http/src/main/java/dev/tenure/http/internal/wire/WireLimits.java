package dev.tenure.http.internal.wire;

/// What a message head and the framing of a body may cost.
///
/// **Limits:** bytes and counts; each offset of a head fits 16 bits.
///
/// @param lineBytesMax of the request line (414) and of each field line (431)
/// @param headBytesMax of the whole head (431)
/// @param fieldsMax of field lines (431)
public record WireLimits(int lineBytesMax, int headBytesMax, int fieldsMax) {
    /// The longest line that announces a chunk.
    static final int CHUNK_LINE_BYTES_MAX = 1024;

    /// All trailer lines of a chunked body.
    static final int TRAILER_BYTES_MAX = 16_384;

    /// Trailer lines of a chunked body.
    static final int TRAILER_FIELDS_MAX = 64;

    /// The largest head that can be configured.
    public static final int HEAD_BYTES_CEILING = 65_535;

    /// The defaults: line 8 KiB, head 32 KiB, 100 fields.
    ///
    /// @return the defaults
    public static WireLimits defaults() {
        return new WireLimits(8_192, 32_768, 100);
    }
}
