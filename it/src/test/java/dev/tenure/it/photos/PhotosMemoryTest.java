package dev.tenure.it.photos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Large files and large pictures in a process with 64 MiB of heap.
class PhotosMemoryTest {
    private static final int SEGMENT_BYTES = 65_533;

    @TempDir
    Path folder;

    @Test
    void upload_hundredMegabytesOfMetadata_getsItsThumbnail() throws Exception {
        byte[] picture = Pictures.jpeg(640, 480, 6);
        var file = new ByteArrayOutputStream(101_000_000);
        file.write(picture, 0, 2);
        for (int i = 0; file.size() < 100_000_000; i++) {
            file.write(new byte[] {(byte) 0xFF, (byte) (0xE1 + i % 15), (byte) 0xFF, (byte) 0xFF});
            file.write(new byte[SEGMENT_BYTES]);
        }
        file.write(picture, 2, picture.length - 2);

        assertReady(file.toByteArray(), 640, 480);
    }

    @Test
    void upload_sixtyFourMegapixels_getsItsThumbnail() throws Exception {
        assertReady(blankPng(8000, 8000), 8000, 8000);
    }

    private void assertReady(byte[] picture, int width, int height) throws Exception {
        try (var photos = PhotosProcess.on(folder)
                        .jvm("-Xmx64m")
                        .with("--photo-limit", "128MiB")
                        .start();
                var client = new PhotosClient(photos)) {
            client.add("large", picture);
            var photo = client.awaitSettled().getFirst();
            assertThat(photo.state()).as(photo.reason() + photos.errors()).isEqualTo("ready");
            assertThat(photo.width()).isEqualTo(width);
            assertThat(photo.height()).isEqualTo(height);
            assertThat(photo.bytes()).isEqualTo(picture.length);
            photos.terminate();
            assertThat(photos.exitCode()).as(photos.errors()).isZero();
        }
    }

    /// A picture of 16 bits a sample, so that its rows take eight bytes a pixel.
    private static byte[] blankPng(int width, int height) throws IOException {
        var png = new ByteArrayOutputStream();
        png.write(new byte[] {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'});
        var header = ByteBuffer.allocate(13)
                .putInt(width)
                .putInt(height)
                .put((byte) 16)
                .put((byte) 6);
        chunk(png, "IHDR", header.array());
        var rows = new ByteArrayOutputStream();
        try (var deflating = new DeflaterOutputStream(rows, new Deflater(Deflater.BEST_SPEED))) {
            byte[] row = new byte[1 + 8 * width];
            for (int y = 0; y < height; y++) {
                deflating.write(row);
            }
        }
        chunk(png, "IDAT", rows.toByteArray());
        chunk(png, "IEND", new byte[0]);
        return png.toByteArray();
    }

    private static void chunk(ByteArrayOutputStream png, String type, byte[] content) throws IOException {
        byte[] name = type.getBytes(ISO_8859_1);
        var checksum = new CRC32();
        checksum.update(name);
        checksum.update(content);
        png.write(ByteBuffer.allocate(4).putInt(content.length).array());
        png.write(name);
        png.write(content);
        png.write(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
    }
}
