package dev.tenure.http.internal.wire;

/// Where a field stands in its head: four offsets of 16 bits in one number.
final class Span {
    private Span() {}

    static long of(int nameFrom, int nameTo, int valueFrom, int valueTo) {
        return (long) nameFrom << 48 | (long) nameTo << 32 | (long) valueFrom << 16 | valueTo;
    }

    static int nameFrom(long span) {
        return (int) (span >>> 48);
    }

    static int nameTo(long span) {
        return (int) (span >>> 32) & 0xffff;
    }

    static int valueFrom(long span) {
        return (int) (span >>> 16) & 0xffff;
    }

    static int valueTo(long span) {
        return (int) span & 0xffff;
    }
}
