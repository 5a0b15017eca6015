package dev.tenure.examples.photos.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageCheckTest {
    private static final byte[] JPEG = Pictures.encoded(Pictures.quarters(64, 48), "jpeg");
    private static final byte[] PNG = Pictures.encoded(Pictures.quarters(64, 48), "png");

    @TempDir
    Path folder;

    private ImageFacts check(byte[] bytes) throws IOException {
        return ImageCheck.whole(Files.write(folder.resolve("picture"), bytes));
    }

    @Test
    void whole_jpeg_tellsItsSize() throws IOException {
        assertThat(check(JPEG)).isEqualTo(new ImageFacts(ImageKind.JPEG, 64, 48, Orientation.UPRIGHT));
    }

    @Test
    void whole_progressiveJpeg_isFollowedThroughAllScans() throws IOException {
        byte[] progressive = Pictures.progressive(Pictures.quarters(64, 48));

        assertThat(check(progressive).width()).isEqualTo(64);
        assertThatThrownBy(() -> check(Arrays.copyOf(progressive, progressive.length - 2)))
                .isInstanceOf(BrokenImage.class);
    }

    @Test
    void whole_png_tellsItsSize() throws IOException {
        assertThat(check(PNG)).isEqualTo(new ImageFacts(ImageKind.PNG, 64, 48, Orientation.UPRIGHT));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                BufferedImage.TYPE_BYTE_GRAY,
                BufferedImage.TYPE_USHORT_GRAY,
                BufferedImage.TYPE_BYTE_INDEXED,
                BufferedImage.TYPE_BYTE_BINARY,
                BufferedImage.TYPE_INT_ARGB
            })
    void whole_pngOfAnyColours_isWhole(int type) throws IOException {
        var bytes = Pictures.encoded(Pictures.quarters(67, 5, type), "png");

        assertThat(check(bytes).width()).isEqualTo(67);
    }

    @Test
    void whole_everyCutOfAJpeg_isRefused() {
        for (int length = 0; length < JPEG.length; length++) {
            byte[] cut = Arrays.copyOf(JPEG, length);
            assertThatThrownBy(() -> check(cut)).as("cut at %d", length).isInstanceOf(BrokenImage.class);
        }
    }

    @Test
    void whole_everyCutOfAPng_isRefused() {
        for (int length = 0; length < PNG.length; length++) {
            byte[] cut = Arrays.copyOf(PNG, length);
            assertThatThrownBy(() -> check(cut)).as("cut at %d", length).isInstanceOf(BrokenImage.class);
        }
    }

    @Test
    void whole_everyFlippedByteOfAPng_isRefused() {
        for (int at = 0; at < PNG.length; at++) {
            byte[] flipped = PNG.clone();
            flipped[at] ^= 0x10;
            assertThatThrownBy(() -> check(flipped)).as("flipped at %d", at).isInstanceOf(ImageRefused.class);
        }
    }

    @Test
    void whole_bytesAfterTheEnd_areIgnored() throws IOException {
        assertThat(check(Pictures.joined(JPEG, new byte[100])).kind()).isEqualTo(ImageKind.JPEG);
        assertThat(check(Pictures.joined(PNG, new byte[100])).kind()).isEqualTo(ImageKind.PNG);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GIF89a and more", "hello", "\u0000\u0000\u0000", "%PDF-1.7"})
    void whole_anythingElse_isUnsupported(String content) {
        assertThatThrownBy(() -> check(content.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1)))
                .isInstanceOf(UnsupportedImage.class);
    }

    @Test
    void whole_stuffedBytesAndRestartMarkers_areData() throws IOException {
        byte[] data = {
            0x12, (byte) 0xFF, 0, 0x34, (byte) 0xFF, (byte) 0xD0, 0x56, (byte) 0xFF, (byte) 0xFF, (byte) 0xD7, 1
        };

        assertThat(check(jpegWithScan(data)).height()).isEqualTo(16);
    }

    @Test
    void whole_strangeMarkerInsideTheData_isRefused() {
        byte[] data = {0x12, (byte) 0xFF, 0x33, 0x34};

        assertThatThrownBy(() -> check(jpegWithScan(data)))
                .isInstanceOf(BrokenImage.class)
                .hasMessageContaining("FF33");
    }

    @Test
    void whole_scanWithoutData_isRefused() {
        assertThatThrownBy(() -> check(jpegWithScan(new byte[0]))).isInstanceOf(BrokenImage.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF})
    void whole_processNoDecoderReads_isUnsupported(int frameMarker) {
        byte[] jpeg = JPEG.clone();
        jpeg[frameAt(jpeg) + 1] = (byte) frameMarker;

        assertThatThrownBy(() -> check(jpeg))
                .isInstanceOf(UnsupportedImage.class)
                .hasMessageContaining("SOF" + (frameMarker - 0xC0));
    }

    @Test
    void whole_tooManyPixels_isOversized() {
        byte[] jpeg = JPEG.clone();
        int at = frameAt(jpeg) + 5;
        jpeg[at] = 0x1F;
        jpeg[at + 1] = 0x41;
        jpeg[at + 2] = 0x1F;
        jpeg[at + 3] = 0x41;

        assertThatThrownBy(() -> check(jpeg)).isInstanceOf(OversizedImage.class).hasMessageContaining("8001 x 8001");
    }

    @Test
    void whole_pngRowsThatAreMissing_areMissed() throws IOException {
        byte[] low = Pictures.encoded(Pictures.quarters(64, 47), "png");
        byte[] forged = Pictures.joined(Pictures.slice(PNG, 0, 8 + 25), Pictures.slice(low, 8 + 25, low.length));

        assertThatThrownBy(() -> check(forged)).isInstanceOf(BrokenImage.class).hasMessageContaining("expected");
    }

    @ParameterizedTest
    @CsvSource({
        "1,UPRIGHT",
        "2,MIRRORED",
        "3,UPSIDE_DOWN",
        "4,FLIPPED",
        "5,TRANSPOSED",
        "6,QUARTER_RIGHT",
        "7,TRANSVERSED",
        "8,QUARTER_LEFT",
        "0,UPRIGHT",
        "9,UPRIGHT"
    })
    void whole_exif_tellsTheOrientation(int value, Orientation expected) throws IOException {
        for (var order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            byte[] tiff = Pictures.exif(value, order);
            assertThat(check(Pictures.withExif(JPEG, tiff)).orientation()).isEqualTo(expected);
            assertThat(check(Pictures.withChunk(PNG, "eXIf", tiff)).orientation())
                    .isEqualTo(expected);
        }
    }

    @Test
    void whole_exifOfEveryLength_neverRefusesThePicture() throws IOException {
        byte[] tiff = Pictures.exif(6, ByteOrder.LITTLE_ENDIAN);
        for (int length = 0; length < tiff.length; length++) {
            assertThat(check(Pictures.withExif(JPEG, Arrays.copyOf(tiff, length)))
                            .kind())
                    .isEqualTo(ImageKind.JPEG);
        }
    }

    @ParameterizedTest
    @CsvSource({"landscape_1,UPRIGHT", "landscape_3,UPSIDE_DOWN", "landscape_6,QUARTER_RIGHT", "portrait_8,QUARTER_LEFT"
    })
    void whole_photograph_tellsItsOrientation(String name, Orientation expected) throws IOException {
        try (InputStream photo = ImageCheckTest.class.getResourceAsStream("/photos/" + name + ".jpg")) {
            assertThat(photo).isNotNull();
            assertThat(check(photo.readAllBytes()).orientation()).isEqualTo(expected);
        }
    }

    private static int frameAt(byte[] jpeg) {
        for (int at = 2; ; at += 2 + (((jpeg[at + 2] & 0xff) << 8) | (jpeg[at + 3] & 0xff))) {
            if ((jpeg[at + 1] & 0xff) == 0xC0) {
                return at;
            }
        }
    }

    private static byte[] jpegWithScan(byte[] data) {
        byte[] frame = {8, 0, 16, 0, 16, 1, 1, 0x11, 0};
        byte[] scan = {1, 1, 0, 0, 63, 0};
        byte[] bare = {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, (byte) 0xD9};
        byte[] head = Pictures.withSegment(Pictures.withSegment(bare, 0xDA, scan), 0xC0, frame);
        return Pictures.joined(
                Pictures.slice(head, 0, head.length - 2), data, Pictures.slice(head, head.length - 2, head.length));
    }
}
