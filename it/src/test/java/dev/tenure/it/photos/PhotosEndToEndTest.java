package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example as a process: uploads, thumbnails, lists, deletions, a restart, the report.
class PhotosEndToEndTest {
    private static final int TOLERANCE = 16;

    @TempDir
    Path folder;

    @Test
    void upload_anyOrientation_showsUprightThumbnail() throws Exception {
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            for (int orientation = 1; orientation <= 8; orientation++) {
                client.add("orientation-" + orientation + ".jpg", Pictures.jpeg(640, 480, orientation));
            }
            client.add("plain.png", Pictures.png(640, 480));
            for (var photo : client.awaitSettled()) {
                assertThat(photo.state()).as(photo.reason()).isEqualTo("ready");
                assertThat(List.of(photo.width(), photo.height()))
                        .as(photo.name())
                        .isEqualTo(List.of(640, 480));
                assertUpright(photo.name(), thumbnail(client, photo.id()));
            }
        }
    }

    @Test
    void upload_photographs_showsThemAlike() throws Exception {
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            for (var name : List.of("landscape_1", "landscape_3", "landscape_6", "portrait_8")) {
                client.add(name, PhotosClient.photograph(name));
            }
            var thumbnails = client.awaitSettled().stream()
                    .collect(Collectors.toMap(PhotosClient.Photo::name, photo -> thumbnail(client, photo.id())));
            assertThat(thumbnails.get("portrait_8").getHeight()).isEqualTo(320);
            assertThat(difference(thumbnails, "landscape_1", "landscape_3")).isLessThan(8);
            assertThat(difference(thumbnails, "landscape_1", "landscape_6")).isLessThan(8);
        }
    }

    @Test
    void get_photoAndThumbnail_haveTagsAndRanges() throws Exception {
        byte[] picture = Pictures.jpeg(640, 480, 1);
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            var id = client.add("one.jpg", picture);
            client.awaitSettled();
            for (var path : List.of("/photos/" + id, "/photos/" + id + "/thumb")) {
                var whole = client.get(path);
                assertThat(whole.statusCode()).isEqualTo(200);
                assertThat(whole.headers().firstValue("Content-Type")).contains("image/jpeg");
                var tag = whole.headers().firstValue("ETag").orElseThrow();
                assertThat(client.get(path, "If-None-Match", tag).statusCode()).isEqualTo(304);
                var part = client.get(path, "Range", "bytes=2-9");
                assertThat(part.statusCode()).isEqualTo(206);
                assertThat(part.body()).isEqualTo(java.util.Arrays.copyOfRange(whole.body(), 2, 10));
                var head = client.method("HEAD", path);
                assertThat(head.headers().firstValueAsLong("Content-Length")).hasValue(whole.body().length);
                assertThat(head.body()).isEmpty();
            }
            assertThat(client.get("/photos/" + id).body()).isEqualTo(picture);
        }
    }

    @Test
    void delete_photo_takesEverythingWithIt() throws Exception {
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            var kept = client.add("kept.jpg", Pictures.jpeg(640, 480, 1));
            var id = client.add("gone.jpg", Pictures.jpeg(640, 480, 1));
            client.awaitSettled();
            try (var events = client.events()) {
                events.await(event -> event.name().equals("hello"));
                assertThat(client.method("DELETE", "/photos/" + id).statusCode())
                        .isEqualTo(204);
                assertThat(events.await(event -> event.name().equals("gone")).data())
                        .contains(id);
            }
            assertThat(client.method("DELETE", "/photos/" + id).statusCode()).isEqualTo(404);
            assertThat(client.get("/photos/" + id).statusCode()).isEqualTo(404);
            assertThat(client.get("/photos/" + id + "/thumb").statusCode()).isEqualTo(404);
            assertThat(client.list()).extracting(PhotosClient.Photo::id).containsExactly(kept);
            stop(photos);
        }
        assertThat(new PhotosStore(folder).objects()).hasSize(2);
    }

    @Test
    void delete_whileTheThumbnailIsMade_discardsIt() throws Exception {
        try (var photos = PhotosProcess.on(folder).holdable().start();
                var client = new PhotosClient(photos)) {
            photos.hold("decode/photo:after");
            var id = client.add("gone.jpg", Pictures.jpeg(640, 480, 1));
            photos.awaitHeld();
            assertThat(client.method("DELETE", "/photos/" + id).statusCode()).isEqualTo(204);
            photos.letGo();
            stop(photos);
        }
        var store = new PhotosStore(folder);
        assertThat(store.photos()).isEmpty();
        assertThat(store.objects()).isEmpty();
        assertThat(store.leftovers()).isEmpty();
    }

    @Test
    void upload_pictureNoDecoderReads_ends_failed() throws Exception {
        byte[] damaged = Pictures.jpeg(640, 480, 1);
        for (int at = 2; (damaged[at + 1] & 0xff) != 0xDA; at += 2 + length(damaged, at)) {
            if ((damaged[at + 1] & 0xff) == 0xC4) {
                damaged[at + 1] = (byte) 0xEF;
            }
        }
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            client.add("no-tables.jpg", damaged);
            var photo = client.awaitSettled().getFirst();
            assertThat(photo.state()).isEqualTo("failed");
            assertThat(photo.reason()).contains("cannot be decoded");
            assertThat(client.get("/photos/" + photo.id()).body()).isEqualTo(damaged);
            stop(photos);
        }
        assertThat(new PhotosStore(folder).objects()).hasSize(1);
    }

    @Test
    void restart_keepsPhotos() throws Exception {
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            client.add("kept.jpg", Pictures.jpeg(640, 480, 3));
            stop(photos);
        }
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            var photo = client.awaitSettled().getFirst();
            assertThat(photo.name()).isEqualTo("kept.jpg");
            assertUpright("kept", thumbnail(client, photo.id()));
        }
    }

    @Test
    void stop_idle_isGracefulAndReported() throws Exception {
        try (var photos = PhotosProcess.start(folder, "--stop-budget", "5s")) {
            stop(photos);
            assertThat(photos.errors()).contains("photos stopped: GRACEFUL", "by SIGTERM");
            assertThat(photos.report().completion()).isEqualTo("GRACEFUL");
        }
    }

    @Test
    void stop_stuckHandler_isIncompleteInsideTheBudgetAndNamed() throws Exception {
        try (var photos = PhotosProcess.start(folder, "--drill", "--stop-budget", "2s");
                var client = new PhotosClient(photos)) {
            var stuck = client.start("/drill/stuck");
            assertThat(client.get("/drill/plain").statusCode()).isEqualTo(200);
            photos.terminate();
            assertThat(photos.exitCode()).isEqualTo(72);
            assertThat(stuck.exceptionally(_ -> 0).get()).isNotEqualTo(200);
            var report = photos.report();
            assertThat(report.completion()).isEqualTo("INCOMPLETE");
            assertThat(report.elapsedMillis()).isLessThanOrEqualTo(2_300);
            assertThat(report.reconciles()).isTrue();
            assertThat(photos.errors())
                    .contains("still running  GET /drill/stuck  in Drill.stuck", "Drill.stuck(Drill.java");
        }
    }

    @Test
    void health_isUp() throws Exception {
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            assertThat(client.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(client.get("/health/ready").statusCode()).isEqualTo(200);
            assertThat(client.get("/drill/plain").statusCode())
                    .as("without --drill")
                    .isEqualTo(404);
            assertThat(new String(client.get("/").body(), java.nio.charset.StandardCharsets.UTF_8))
                    .contains("<title>Photos</title>");
        }
    }

    private static void stop(PhotosProcess photos) throws Exception {
        photos.terminate();
        assertThat(photos.exitCode()).as(photos.errors()).isZero();
    }

    private static int length(byte[] jpeg, int at) {
        return ((jpeg[at + 2] & 0xff) << 8) | (jpeg[at + 3] & 0xff);
    }

    private static BufferedImage thumbnail(PhotosClient client, String id) {
        try {
            var response = client.get("/photos/" + id + "/thumb");
            assertThat(response.statusCode()).isEqualTo(200);
            return ImageIO.read(new ByteArrayInputStream(response.body()));
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    private static void assertUpright(String name, BufferedImage shown) {
        int right = shown.getWidth() - 8;
        int bottom = shown.getHeight() - 8;
        assertThat(shown.getWidth()).as(name).isEqualTo(320);
        assertThat(shown.getHeight()).as(name).isEqualTo(240);
        assertThat(Pictures.distance(shown.getRGB(8, 8), Pictures.TOP_LEFT))
                .as(name)
                .isLessThan(TOLERANCE);
        assertThat(Pictures.distance(shown.getRGB(right, 8), Pictures.TOP_RIGHT))
                .as(name)
                .isLessThan(TOLERANCE);
        assertThat(Pictures.distance(shown.getRGB(8, bottom), Pictures.BOTTOM_LEFT))
                .as(name)
                .isLessThan(TOLERANCE);
        assertThat(Pictures.distance(shown.getRGB(right, bottom), Pictures.BOTTOM_RIGHT))
                .as(name)
                .isLessThan(TOLERANCE);
    }

    private static double difference(Map<String, BufferedImage> thumbnails, String one, String other) {
        var first = thumbnails.get(one);
        var second = thumbnails.get(other);
        double sum = 0;
        for (int y = 0; y < first.getHeight(); y++) {
            for (int x = 0; x < first.getWidth(); x++) {
                sum += Pictures.distance(first.getRGB(x, y), new java.awt.Color(second.getRGB(x, y)));
            }
        }
        return sum / first.getWidth() / first.getHeight();
    }
}
