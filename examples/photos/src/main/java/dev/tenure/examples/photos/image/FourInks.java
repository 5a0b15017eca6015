package dev.tenure.examples.photos.image;

import java.awt.image.Raster;

/// Turns the raw samples of a four-component JPEG into colours.
///
/// It mixes the inks plainly, without a press profile: good enough for a thumbnail.
///
/// **Source:** Adobe technical note 5116: Adobe stores inks inverted, and with transform 2 as luminance and colour.
final class FourInks {
    private FourInks() {}

    static Pixels pixels(Raster samples, Layout.FourInks inks) {
        var pixels = Pixels.blank(samples.getWidth(), samples.getHeight());
        int[] four = new int[4];
        for (int y = 0; y < pixels.height(); y++) {
            for (int x = 0; x < pixels.width(); x++) {
                samples.getPixel(samples.getMinX() + x, samples.getMinY() + y, four);
                pixels.set(x, y, colour(four, inks));
            }
        }
        return pixels;
    }

    private static int colour(int[] four, Layout.FourInks inks) {
        int first = four[0];
        int second = four[1];
        int third = four[2];
        int black = four[3];
        if (inks.luminance()) {
            double blueness = second - 128.0;
            double redness = third - 128.0;
            second = sample(first - 0.344136 * blueness - 0.714136 * redness);
            third = sample(first + 1.772 * blueness);
            first = sample(four[0] + 1.402 * redness);
        }
        return (light(first, black, inks) << 16) | (light(second, black, inks) << 8) | light(third, black, inks);
    }

    private static int light(int ink, int black, Layout.FourInks inks) {
        return inks.inverted() ? ink * black / 255 : (255 - ink) * (255 - black) / 255;
    }

    private static int sample(double value) {
        return Math.clamp(Math.round(value), 0, 255);
    }
}
