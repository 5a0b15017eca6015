package dev.tenure.examples.photos.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/// Says whether a file is a whole JPEG or PNG, by streaming it once.
///
/// It does not decode the colours: a JPEG whose markers stand where they should is whole, even if a decoder finds
/// nonsense between them.
///
/// **Threads:** any. **Limits:** 64,000,000 pixels, 65,535 a side; 200 KiB of buffers.
/// **Fails:** [UnsupportedImage], [BrokenImage], [OversizedImage]; `IOException` if the file cannot be read.
public final class ImageCheck {
    /// The most pixels a picture may have: 64 megapixels.
    public static final long PIXELS_MAX = 64_000_000;

    private static final int SIDE_MAX = 65_535;
    private static final byte[] JPEG_SIGNATURE = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF};

    private ImageCheck() {}

    /// Reads the file to its end.
    ///
    /// @param file the file to read
    /// @return what the picture says about itself
    /// @throws IOException if the file cannot be read, whatever is in it
    public static ImageFacts whole(Path file) throws IOException {
        try (var channel = Files.newByteChannel(file)) {
            return (switch (kind(channel)) {
                        case JPEG -> JpegWalk.whole(new ChannelReader(channel));
                        case PNG -> PngWalk.whole(new ChannelReader(channel));
                    })
                    .facts();
        }
    }

    /// Where the picture is in a file that was found whole before.
    static Layout layout(SeekableByteChannel channel) throws IOException {
        return switch (kind(channel)) {
            case JPEG -> JpegWalk.layout(new ChannelReader(channel));
            case PNG -> PngWalk.layout(new ChannelReader(channel));
        };
    }

    static void requirePixels(int width, int height) {
        if (width <= 0 || height <= 0) {
            throw new BrokenImage("the picture is %d x %d pixels large".formatted(width, height));
        }
        if (width > SIDE_MAX || height > SIDE_MAX || (long) width * height > PIXELS_MAX) {
            throw new OversizedImage("the picture is %d x %d pixels large (expected: at most %d, %d a side)"
                    .formatted(width, height, PIXELS_MAX, SIDE_MAX));
        }
    }

    private static ImageKind kind(SeekableByteChannel channel) throws IOException {
        var head = ByteBuffer.allocate(PngWalk.SIGNATURE.length);
        channel.position(0);
        while (head.hasRemaining() && channel.read(head) >= 0) {
            // a channel may give less than was asked for
        }
        head.flip();
        if (begins(head, JPEG_SIGNATURE)) {
            return ImageKind.JPEG;
        }
        if (begins(head, PngWalk.SIGNATURE)) {
            return ImageKind.PNG;
        }
        throw new UnsupportedImage("the file is neither a JPEG nor a PNG");
    }

    private static boolean begins(ByteBuffer head, byte[] signature) {
        int same = head.mismatch(ByteBuffer.wrap(signature));
        if (same == head.limit() && same < signature.length) {
            throw new BrokenImage("the file ends after %d bytes: it is truncated".formatted(same));
        }
        return same < 0 || same == signature.length;
    }
}
