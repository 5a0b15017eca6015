package dev.tenure.it.photos;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import javax.imageio.ImageIO;

/// Pictures of four coloured quarters, stored as a camera would store them.
final class Pictures {
    static final Color TOP_LEFT = new Color(200, 30, 30);
    static final Color TOP_RIGHT = new Color(30, 160, 30);
    static final Color BOTTOM_LEFT = new Color(30, 30, 200);
    static final Color BOTTOM_RIGHT = new Color(220, 200, 40);

    private Pictures() {}

    /// A JPEG that shows the quarters upright if its Exif orientation is heeded.
    static byte[] jpeg(int width, int height, int orientation) {
        byte[] plain = encoded(stored(width, height, orientation), "jpeg");
        var all = ByteBuffer.allocate(plain.length + 36);
        all.put(plain, 0, 2).putShort((short) 0xFFE1).putShort((short) 34);
        all.put("Exif\0\0MM".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1));
        all.putShort((short) 42).putInt(8).putShort((short) 1);
        all.putShort((short) 0x0112).putShort((short) 3).putInt(1).putShort((short) orientation);
        all.putShort((short) 0).putInt(0);
        all.put(plain, 2, plain.length - 2);
        return all.array();
    }

    static byte[] png(int width, int height) {
        return encoded(stored(width, height, 1), "png");
    }

    /// The table of the Exif standard: on which side of the upright picture are the first stored row and column.
    private static BufferedImage stored(int width, int height, int orientation) {
        boolean sideways = orientation >= 5;
        boolean fromRight = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
        boolean fromBottom = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
        var image = new BufferedImage(sideways ? height : width, sideways ? width : height, BufferedImage.TYPE_INT_RGB);
        for (int row = 0; row < image.getHeight(); row++) {
            for (int column = 0; column < image.getWidth(); column++) {
                int x = sideways ? row : column;
                int y = sideways ? column : row;
                boolean left = 2 * (fromRight ? width - 1 - x : x) < width;
                boolean top = 2 * (fromBottom ? height - 1 - y : y) < height;
                image.setRGB(column, row, quarter(left, top).getRGB());
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

    private static byte[] encoded(BufferedImage image, String format) {
        var bytes = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, bytes)) {
                throw new IllegalArgumentException("no writer for " + format);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        return bytes.toByteArray();
    }

    /// How far a pixel is from a colour, in the channel where it is farthest.
    static int distance(int rgb, Color colour) {
        var pixel = new Color(rgb);
        return Math.max(
                Math.abs(pixel.getRed() - colour.getRed()),
                Math.max(Math.abs(pixel.getGreen() - colour.getGreen()), Math.abs(pixel.getBlue() - colour.getBlue())));
    }
}
