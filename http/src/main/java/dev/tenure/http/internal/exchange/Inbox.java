package dev.tenure.http.internal.exchange;

import java.util.Arrays;

/// Bytes that came before their turn. **Owner:** one engine.
final class Inbox {
    private static final byte[] NOTHING = {};

    private byte[] bytes = NOTHING;
    private int from;
    private int to;

    boolean isEmpty() {
        return from == to;
    }

    int size() {
        return to - from;
    }

    byte[] bytes() {
        return bytes;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    void add(byte[] piece, int pieceFrom, int pieceTo) {
        int length = pieceTo - pieceFrom;
        if (from > 0 && to + length > bytes.length) {
            System.arraycopy(bytes, from, bytes, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(to + length, 2 * to));
        }
        System.arraycopy(piece, pieceFrom, bytes, to, length);
        to += length;
    }

    void taken(int count) {
        from += count;
        if (from == to) {
            clear();
        }
    }

    void clear() {
        bytes = NOTHING;
        from = 0;
        to = 0;
    }
}
