package dev.tenure.examples.photos.image;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.zip.CRC32;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/// Makes small pictures for tests, and puts segments and chunks of any kind into them.
final class Pictures {
    static final Color TOP_LEFT = new Color(200, 30, 30);
    static final Color TOP_RIGHT = new Color(30, 160, 30);
    static final Color BOTTOM_LEFT = new Color(30, 30, 200);
    static final Color BOTTOM_RIGHT = new Color(220, 200, 40);

    private Pictures() {}

    /// Four quarters in four colours.
    static BufferedImage quarters(int width, int height) {
        return quarters(width, height, BufferedImage.TYPE_INT_RGB);
    }

    static BufferedImage quarters(int width, int height, int type) {
        var image = new BufferedImage(width, height, type);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, quarter(2 * x < width, 2 * y < height).getRGB());
            }
        }
        return image;
    }

    private static Color quarter(boolean left, boolean top) {
        if (top) {
            return left ? TOP_LEFT : TOP_RIGHT;
        }
        return left ? BOTTOM_LEFT : BOTTOM_RIGHT;
    }

    /// The quarters as a camera held that way stores them: by the table of the Exif standard, which says on which side
    /// of the upright picture the first stored row and the first stored column are.
    static BufferedImage stored(BufferedImage upright, int orientation) {
        int right = upright.getWidth() - 1;
        int bottom = upright.getHeight() - 1;
        boolean sideways = orientation >= 5;
        var stored = new BufferedImage(
                sideways ? bottom + 1 : right + 1, sideways ? right + 1 : bottom + 1, BufferedImage.TYPE_INT_RGB);
        for (int row = 0; row < stored.getHeight(); row++) {
            for (int column = 0; column < stored.getWidth(); column++) {
                int x = sideways ? row : column;
                int y = sideways ? column : row;
                boolean fromRight = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
                boolean fromBottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
                stored.setRGB(column, row, upright.getRGB(fromRight ? right - x : x, fromBottom ? bottom - y : y));
            }
        }
        return stored;
    }

    static byte[] encoded(BufferedImage image, String format) {
        try {
            var bytes = new ByteArrayOutputStream();
            if (!ImageIO.write(image, format.toLowerCase(Locale.ROOT), bytes)) {
                throw new IllegalArgumentException("no writer for " + format);
            }
            return bytes.toByteArray();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static byte[] progressive(BufferedImage image) {
        var param = ImageIO.getImageWritersByFormatName("jpeg").next().getDefaultWriteParam();
        param.setProgressiveMode(ImageWriteParam.MODE_DEFAULT);
        return written(new IIOImage(image, null, null), param);
    }

    /// A JPEG of four components, as the samples are.
    static byte[] fourInks(Raster samples) {
        return written(
                new IIOImage(samples, null, null),
                ImageIO.getImageWritersByFormatName("jpeg").next().getDefaultWriteParam());
    }

    private static byte[] written(IIOImage image, ImageWriteParam param) {
        var bytes = new ByteArrayOutputStream();
        var writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        try (var stream = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(stream);
            writer.write(null, image, param);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    /// A TIFF block whose only entry is the orientation.
    static byte[] exif(int orientation, ByteOrder order) {
        var block = ByteBuffer.allocate(26).order(order);
        block.putShort((short) (order == ByteOrder.LITTLE_ENDIAN ? 0x4949 : 0x4D4D));
        block.putShort((short) 42).putInt(8).putShort((short) 1);
        block.putShort((short) 0x0112).putShort((short) 3).putInt(1);
        block.putShort((short) orientation).putShort((short) 0).putInt(0);
        return block.array();
    }

    static byte[] withExif(byte[] jpeg, byte[] tiff) {
        return withSegment(jpeg, 0xE1, joined("Exif\0\0".getBytes(StandardCharsets.ISO_8859_1), tiff));
    }

    /// The JPEG with a segment more, right after its start marker.
    static byte[] withSegment(byte[] jpeg, int marker, byte[] content) {
        byte[] head = {(byte) 0xFF, (byte) marker, (byte) ((content.length + 2) >> 8), (byte) (content.length + 2)};
        return joined(slice(jpeg, 0, 2), head, content, slice(jpeg, 2, jpeg.length));
    }

    /// The PNG with a chunk more, right after its header.
    static byte[] withChunk(byte[] png, String type, byte[] content) {
        int afterHeader = 8 + 12 + 13;
        return joined(slice(png, 0, afterHeader), chunk(type, content), slice(png, afterHeader, png.length));
    }

    static byte[] chunk(String type, byte[] content) {
        byte[] name = type.getBytes(StandardCharsets.ISO_8859_1);
        var checksum = new CRC32();
        checksum.update(name);
        checksum.update(content);
        return joined(
                ByteBuffer.allocate(4).putInt(content.length).array(),
                name,
                content,
                ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
    }

    static byte[] slice(byte[] bytes, int from, int to) {
        return java.util.Arrays.copyOfRange(bytes, from, to);
    }

    static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
