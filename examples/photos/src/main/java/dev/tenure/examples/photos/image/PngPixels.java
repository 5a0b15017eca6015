package dev.tenure.examples.photos.image;

import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Inflates the picture data of a PNG into nothing, to see that all rows are there.
///
/// **Owner:** the walk. **Ends:** with the walk. **Limits:** stops at the bytes that the header promised, so a bomb
/// does not go off; 64 KiB of buffer.
final class PngPixels implements AutoCloseable {
    private final Inflater inflater = new Inflater();
    private final byte[] nowhere = new byte[1 << 16];
    private final long expected;
    private long inflated;

    PngPixels(long expected) {
        this.expected = expected;
    }

    void take(ByteBuffer compressed) {
        inflater.setInput(compressed);
        try {
            while (inflated < expected) {
                int count = inflater.inflate(nowhere);
                if (count == 0) {
                    return;
                }
                inflated += count;
            }
        } catch (DataFormatException damaged) {
            throw new BrokenImage("the picture data of the PNG is damaged: " + damaged.getMessage(), damaged);
        }
    }

    void requireComplete() {
        if (inflated < expected) {
            throw new BrokenImage(
                    "the picture data of the PNG has %d bytes (expected: %d)".formatted(inflated, expected));
        }
    }

    @Override
    public void close() {
        inflater.end();
    }
}
