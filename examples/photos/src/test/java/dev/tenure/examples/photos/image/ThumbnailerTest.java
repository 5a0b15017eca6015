package dev.tenure.examples.photos.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.Color;
import java.awt.color.ColorSpace;
import java.awt.color.ICC_Profile;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThumbnailerTest {
    private static final int TOLERANCE = 12;

    @TempDir
    Path folder;

    private BufferedImage thumbnail(byte[] bytes) throws IOException {
        var file = Files.write(folder.resolve("picture"), bytes);
        ImageCheck.whole(file);
        try (var channel = Files.newByteChannel(file)) {
            byte[] jpeg = new Thumbnailer(320).jpeg(channel);
            return ImageIO.read(new ByteArrayInputStream(jpeg));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void jpeg_anyOrientation_isUpright(int orientation) throws IOException {
        var stored = Pictures.stored(Pictures.quarters(800, 600), orientation);
        for (var order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            var exif = Pictures.exif(orientation, order);
            assertQuarters(thumbnail(Pictures.withExif(Pictures.encoded(stored, "jpeg"), exif)), 320, 240);
            assertQuarters(thumbnail(Pictures.withChunk(Pictures.encoded(stored, "png"), "eXIf", exif)), 320, 240);
        }
    }

    @Test
    void jpeg_photographs_lookTheSameHoweverTheyAreStored() throws IOException {
        var upright = thumbnail(photo("landscape_1"));

        assertThat(upright.getWidth()).isEqualTo(320);
        assertThat(upright.getHeight()).isEqualTo(213);
        assertThat(difference(upright, thumbnail(photo("landscape_3")))).isLessThan(6);
        assertThat(difference(upright, thumbnail(photo("landscape_6")))).isLessThan(6);
        assertThat(thumbnail(photo("portrait_8")).getHeight()).isEqualTo(320);
    }

    @Test
    void jpeg_smallPicture_keepsItsSize() throws IOException {
        assertQuarters(thumbnail(Pictures.encoded(Pictures.quarters(64, 48), "png")), 64, 48);
    }

    @Test
    void jpeg_progressive_isDecoded() throws IOException {
        assertQuarters(thumbnail(Pictures.progressive(Pictures.quarters(1000, 500))), 320, 160);
    }

    @Test
    void jpeg_veryWidePicture_keepsARow() throws IOException {
        var thumbnail = thumbnail(Pictures.encoded(Pictures.quarters(20_000, 6), "png"));

        assertThat(thumbnail.getWidth()).isEqualTo(320);
        assertThat(thumbnail.getHeight()).isEqualTo(1);
    }

    @Test
    void jpeg_hugePicture_isSampled() throws IOException {
        assertQuarters(thumbnail(Pictures.encoded(Pictures.quarters(5000, 3000), "jpeg")), 320, 192);
        assertQuarters(thumbnail(Pictures.encoded(Pictures.quarters(5000, 3000), "png")), 320, 192);
    }

    @Test
    void jpeg_transparentPng_standsOnWhite() throws IOException {
        var clear = new BufferedImage(400, 300, BufferedImage.TYPE_INT_ARGB);
        clear.setRGB(0, 0, 0xFF000000);

        assertColour(thumbnail(Pictures.encoded(clear, "png")).getRGB(160, 120), Color.WHITE);
    }

    @ParameterizedTest
    @ValueSource(ints = {BufferedImage.TYPE_BYTE_GRAY, BufferedImage.TYPE_USHORT_GRAY})
    void jpeg_gray_keepsItsBrightness(int type) throws IOException {
        var gray = new BufferedImage(400, 300, type);
        int samples = type == BufferedImage.TYPE_BYTE_GRAY ? 100 : 100 << 8;
        for (int i = 0; i < 400 * 300; i++) {
            gray.getRaster().setSample(i % 400, i / 400, 0, samples);
        }

        assertColour(thumbnail(Pictures.encoded(gray, "png")).getRGB(160, 120), new Color(100, 100, 100));
    }

    @Test
    void jpeg_ofGray_isDecoded() throws IOException {
        var gray = new BufferedImage(400, 300, BufferedImage.TYPE_BYTE_GRAY);
        for (int i = 0; i < 400 * 300; i++) {
            gray.getRaster().setSample(i % 400, i / 400, 0, 100);
        }

        assertColour(thumbnail(Pictures.encoded(gray, "jpeg")).getRGB(160, 120), new Color(100, 100, 100));
    }

    @Test
    void jpeg_withoutColourMarkers_isLuminanceAndColour() throws IOException {
        byte[] jpeg = Pictures.encoded(Pictures.quarters(400, 300), "jpeg");
        int jfifBytes = 2 + (((jpeg[4] & 0xff) << 8) | (jpeg[5] & 0xff));
        byte[] bare = Pictures.joined(Pictures.slice(jpeg, 0, 2), Pictures.slice(jpeg, 2 + jfifBytes, jpeg.length));

        assertQuarters(thumbnail(bare), 320, 240);
    }

    @Test
    void jpeg_fourInks_areMixed() throws IOException {
        var samples = Raster.createInterleavedRaster(0, 400, 300, 4, null);
        for (int i = 0; i < 400 * 300; i++) {
            samples.setPixel(i % 400, i / 400, new int[] {250, 120, 30, 250});
        }
        byte[] bare = Pictures.fourInks(samples);
        byte[] adobe = Pictures.withSegment(bare, 0xEE, adobe(0));

        assertColour(thumbnail(adobe).getRGB(160, 120), new Color(245, 118, 29));
        assertColour(thumbnail(bare).getRGB(160, 120), new Color(0, 3, 4));
    }

    @Test
    void jpeg_fourInksAsLuminance_areMixed() throws IOException {
        var samples = Raster.createInterleavedRaster(0, 400, 300, 4, null);
        for (int i = 0; i < 400 * 300; i++) {
            samples.setPixel(i % 400, i / 400, new int[] {100, 128, 128, 255});
        }

        assertColour(
                thumbnail(Pictures.withSegment(Pictures.fourInks(samples), 0xEE, adobe(2)))
                        .getRGB(160, 120),
                new Color(100, 100, 100));
    }

    @Test
    void jpeg_damagedColourProfile_isLeftOut() throws IOException {
        byte[] jpeg = Pictures.encoded(Pictures.quarters(400, 300), "jpeg");
        byte[] profile = ICC_Profile.getInstance(ColorSpace.CS_sRGB).getData();

        assertQuarters(thumbnail(Pictures.withSegment(jpeg, 0xE2, profileSegment(profile))), 320, 240);
        java.util.Arrays.fill(profile, 36, profile.length, (byte) 0x55);
        assertQuarters(thumbnail(Pictures.withSegment(jpeg, 0xE2, profileSegment(profile))), 320, 240);
    }

    @Test
    void jpeg_metadataBeyondMeasure_isNotRead() throws IOException {
        byte[] jpeg = Pictures.encoded(Pictures.quarters(400, 300), "jpeg");
        for (int i = 0; i < 20; i++) {
            jpeg = Pictures.withSegment(jpeg, 0xE0 + i % 16, new byte[65_000]);
        }

        assertQuarters(thumbnail(jpeg), 320, 240);
    }

    @Test
    void jpeg_huffmanTablesMissing_isBroken() {
        byte[] jpeg = Pictures.encoded(Pictures.quarters(400, 300), "jpeg");
        for (int at = 2;
                (jpeg[at + 1] & 0xff) != 0xDA;
                at += 2 + (((jpeg[at + 2] & 0xff) << 8) | (jpeg[at + 3] & 0xff))) {
            if ((jpeg[at + 1] & 0xff) == 0xC4) {
                jpeg[at + 1] = (byte) 0xEF;
            }
        }
        byte[] damaged = jpeg;

        assertThatThrownBy(() -> thumbnail(damaged)).isInstanceOf(BrokenImage.class);
    }

    @Test
    void new_sideOutOfRange_namesTheRange() {
        assertThatThrownBy(() -> new Thumbnailer(0)).hasMessage("sideMax: 0 (expected: 1 to 1280)");
    }

    private static byte[] adobe(int transform) {
        byte[] content = "Adobe".getBytes(StandardCharsets.ISO_8859_1);
        return Pictures.joined(content, new byte[] {0, 100, 0, 0, 0, 0, (byte) transform});
    }

    private static byte[] profileSegment(byte[] profile) {
        return Pictures.joined("ICC_PROFILE\0".getBytes(StandardCharsets.ISO_8859_1), new byte[] {1, 1}, profile);
    }

    private static byte[] photo(String name) throws IOException {
        try (InputStream photo = ThumbnailerTest.class.getResourceAsStream("/photos/" + name + ".jpg")) {
            return java.util.Objects.requireNonNull(photo).readAllBytes();
        }
    }

    private static void assertQuarters(BufferedImage thumbnail, int width, int height) {
        assertThat(thumbnail.getWidth()).isEqualTo(width);
        assertThat(thumbnail.getHeight()).isEqualTo(height);
        assertColour(thumbnail.getRGB(width / 4, height / 4), Pictures.TOP_LEFT);
        assertColour(thumbnail.getRGB(3 * width / 4, height / 4), Pictures.TOP_RIGHT);
        assertColour(thumbnail.getRGB(width / 4, 3 * height / 4), Pictures.BOTTOM_LEFT);
        assertColour(thumbnail.getRGB(3 * width / 4, 3 * height / 4), Pictures.BOTTOM_RIGHT);
    }

    private static void assertColour(int rgb, Color expected) {
        assertThat(distance(rgb, expected.getRGB()))
                .as("%06x for %06x", rgb & 0xffffff, expected.getRGB() & 0xffffff)
                .isLessThan(TOLERANCE);
    }

    private static double difference(BufferedImage one, BufferedImage other) {
        assertThat(other.getWidth()).isEqualTo(one.getWidth());
        assertThat(other.getHeight()).isEqualTo(one.getHeight());
        double sum = 0;
        for (int y = 0; y < one.getHeight(); y++) {
            for (int x = 0; x < one.getWidth(); x++) {
                sum += distance(one.getRGB(x, y), other.getRGB(x, y));
            }
        }
        return sum / one.getWidth() / one.getHeight();
    }

    private static double distance(int one, int other) {
        int red = Math.abs(((one >> 16) & 0xff) - ((other >> 16) & 0xff));
        int green = Math.abs(((one >> 8) & 0xff) - ((other >> 8) & 0xff));
        int blue = Math.abs((one & 0xff) - (other & 0xff));
        return Math.max(red, Math.max(green, blue));
    }
}
