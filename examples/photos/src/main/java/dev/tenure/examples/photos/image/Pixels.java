package dev.tenure.examples.photos.image;

import java.awt.Color;
import java.awt.image.BufferedImage;

/// A small opaque picture, one `0xRRGGBB` a pixel.
final class Pixels {
    private final int width;
    private final int height;
    private final int[] rgb;

    private Pixels(int width, int height, int[] rgb) {
        this.width = width;
        this.height = height;
        this.rgb = rgb;
    }

    static Pixels blank(int width, int height) {
        return new Pixels(width, height, new int[width * height]);
    }

    /// Colours converted to sRGB, transparent parts on white.
    static Pixels of(BufferedImage image) {
        var flat = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_RGB);
        var pen = flat.createGraphics();
        try {
            pen.drawImage(image, 0, 0, Color.WHITE, null);
        } finally {
            pen.dispose();
        }
        int[] rgb = new int[flat.getWidth() * flat.getHeight()];
        flat.getRaster().getDataElements(0, 0, flat.getWidth(), flat.getHeight(), rgb);
        return new Pixels(flat.getWidth(), flat.getHeight(), rgb);
    }

    int width() {
        return width;
    }

    int height() {
        return height;
    }

    int get(int x, int y) {
        return rgb[y * width + x];
    }

    void set(int x, int y, int value) {
        rgb[y * width + x] = value;
    }

    /// The picture at another size: each new pixel is the mean of the area it covers.
    Pixels resized(int newWidth, int newHeight) {
        return squeezed(newWidth).turned().squeezed(newHeight).turned();
    }

    private Pixels turned() {
        return Orientation.TRANSPOSED.upright(this);
    }

    private Pixels squeezed(int newWidth) {
        if (newWidth == width) {
            return this;
        }
        var result = blank(newWidth, height);
        double step = (double) width / newWidth;
        for (int x = 0; x < newWidth; x++) {
            for (int y = 0; y < height; y++) {
                result.set(x, y, mean(y, x * step, Math.min((x + 1) * step, width)));
            }
        }
        return result;
    }

    private int mean(int y, double from, double to) {
        double red = 0;
        double green = 0;
        double blue = 0;
        for (int x = (int) from; x < to; x++) {
            double share = Math.min(x + 1, to) - Math.max(x, from);
            int pixel = get(x, y);
            red += share * ((pixel >> 16) & 0xff);
            green += share * ((pixel >> 8) & 0xff);
            blue += share * (pixel & 0xff);
        }
        double area = to - from;
        return (channel(red / area) << 16) | (channel(green / area) << 8) | channel(blue / area);
    }

    private static int channel(double value) {
        return Math.clamp(Math.round(value), 0, 255);
    }

    BufferedImage toImage() {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        image.getRaster().setDataElements(0, 0, width, height, rgb);
        return image;
    }
}
