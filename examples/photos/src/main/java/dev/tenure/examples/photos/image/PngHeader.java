package dev.tenure.examples.photos.image;

import java.nio.ByteBuffer;

/// The header of a PNG, checked.
///
/// **Source:** PNG specification, third edition, section 11.2.1; the seven passes are section 8.1.
record PngHeader(int width, int height, Colours colours, boolean interlaced) {
    static final int BYTES = 13;
    /// Of each pass: first column, first row, column step, row step.
    private static final int[][] PASSES = {
        {0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}
    };

    /// Bits a sample and colour type, as the specification numbers them.
    record Colours(int bits, int type) {
        private static final int PALETTE = 3;

        int bitsPerPixel() {
            return bits
                    * switch (type) {
                        case 2 -> 3;
                        case 4 -> 2;
                        case 6 -> 4;
                        default -> 1;
                    };
        }

        boolean areKnown() {
            return switch (type) {
                case 0 -> bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
                case PALETTE -> bits == 1 || bits == 2 || bits == 4 || bits == 8;
                case 2, 4, 6 -> bits == 8 || bits == 16;
                default -> false;
            };
        }
    }

    static PngHeader parse(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new BrokenImage("the header of the PNG has %d bytes (expected: %d)".formatted(bytes.length, BYTES));
        }
        var block = ByteBuffer.wrap(bytes);
        var header = new PngHeader(block.getInt(0), block.getInt(4), new Colours(bytes[8], bytes[9]), bytes[12] == 1);
        if (!header.colours().areKnown() || bytes[10] != 0 || bytes[11] != 0 || bytes[12] < 0 || bytes[12] > 1) {
            throw new BrokenImage("the header of the PNG makes no sense");
        }
        ImageCheck.requirePixels(header.width(), header.height());
        return header;
    }

    boolean needsPalette() {
        return colours.type() == Colours.PALETTE;
    }

    /// How many bytes the picture data has when inflated: a filter byte and the pixels of each row of each pass.
    long inflatedBytes() {
        if (!interlaced) {
            return rowsBytes(width, height);
        }
        long sum = 0;
        for (int[] pass : PASSES) {
            sum += rowsBytes(steps(width, pass[0], pass[2]), steps(height, pass[1], pass[3]));
        }
        return sum;
    }

    private static int steps(int size, int first, int step) {
        return Math.ceilDiv(Math.max(0, size - first), step);
    }

    private long rowsBytes(int columns, int rows) {
        return columns == 0 ? 0 : rows * (1 + Math.ceilDiv((long) columns * colours.bitsPerPixel(), 8));
    }
}
