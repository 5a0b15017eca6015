package dev.tenure.examples.photos.image;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Finds the orientation in an Exif block.
///
/// **Fails:** never: an Exif block that makes no sense leaves the picture as it is stored.
/// **Source:** TIFF 6.0 section 2; Exif 2.32, tag 0x0112.
final class Exif {
    private static final int ORIENTATION = 0x0112;
    private static final int SHORT = 3;
    private static final int ENTRY_BYTES = 12;

    private Exif() {}

    /// The orientation that the first directory of this TIFF block names.
    static Orientation orientation(byte[] tiff) {
        if (tiff.length < 8) {
            return Orientation.UPRIGHT;
        }
        var block = ByteBuffer.wrap(tiff);
        switch (block.getShort(0)) {
            case 0x4949 -> block.order(ByteOrder.LITTLE_ENDIAN);
            case 0x4D4D -> block.order(ByteOrder.BIG_ENDIAN);
            default -> {
                return Orientation.UPRIGHT;
            }
        }
        long directory = Integer.toUnsignedLong(block.getInt(4));
        return block.getShort(2) == 42 && directory + 2 <= tiff.length
                ? inDirectory(block, (int) directory)
                : Orientation.UPRIGHT;
    }

    private static Orientation inDirectory(ByteBuffer block, int directory) {
        int entries = Short.toUnsignedInt(block.getShort(directory));
        for (int i = 0; i < entries; i++) {
            int at = directory + 2 + i * ENTRY_BYTES;
            if (at + ENTRY_BYTES > block.capacity()) {
                break;
            }
            if (Short.toUnsignedInt(block.getShort(at)) == ORIENTATION && block.getShort(at + 2) == SHORT) {
                return Orientation.ofExif(Short.toUnsignedInt(block.getShort(at + 8)));
            }
        }
        return Orientation.UPRIGHT;
    }
}
