package dev.tenure.http.internal.exchange;

/// A stretch of an array that is lent for one call, or given away: each use says which.
///
/// **Owner:** said by the event or action that carries it. **Threads:** whoever holds it.
public final class Piece {
    private static final Piece EMPTY = new Piece(new byte[0], 0, 0);

    private final byte[] bytes;
    private final int from;
    private final int to;

    /// A stretch of an array.
    ///
    /// @param bytes not copied
    /// @param from the first byte
    /// @param to after the last
    public Piece(byte[] bytes, int from, int to) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
    }

    /// All of an array.
    ///
    /// @param bytes not copied
    /// @return the piece
    public static Piece of(byte[] bytes) {
        return bytes.length == 0 ? EMPTY : new Piece(bytes, 0, bytes.length);
    }

    /// Nothing.
    ///
    /// @return the empty piece
    public static Piece empty() {
        return EMPTY;
    }

    /// The array it is part of.
    ///
    /// @return not a copy
    public byte[] bytes() {
        return bytes;
    }

    /// Where it starts.
    ///
    /// @return index of its first byte
    public int from() {
        return from;
    }

    /// Where it ends.
    ///
    /// @return index after its last byte
    public int to() {
        return to;
    }

    /// How long it is.
    ///
    /// @return bytes
    public int length() {
        return to - from;
    }
}
