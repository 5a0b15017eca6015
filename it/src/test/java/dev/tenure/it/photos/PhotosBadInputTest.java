package dev.tenure.it.photos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the example refuses, with which status, and what is left of it: nothing.
class PhotosBadInputTest {
    private static final String MULTIPART = "multipart/form-data; boundary=" + PhotosClient.BOUNDARY;

    @TempDir
    Path folder;

    @Test
    void upload_badPictures_areRefusedAndLeaveNothing() throws Exception {
        byte[] jpeg = Pictures.jpeg(640, 480, 1);
        byte[] png = Pictures.png(640, 480);
        byte[] flipped = png.clone();
        flipped[png.length / 2] ^= 1;
        try (var photos = PhotosProcess.start(folder, "--photo-limit", "64KiB");
                var client = new PhotosClient(photos)) {
            assertThat(client.upload("big.jpg", new byte[(64 << 10) + 1]).statusCode())
                    .isEqualTo(413);
            assertThat(client.upload("huge.jpg", new byte[4 << 20]).statusCode())
                    .isEqualTo(413);
            assertThat(client.upload("text.jpg", "hello".getBytes(ISO_8859_1)).statusCode())
                    .isEqualTo(415);
            assertThat(client.upload("gif.gif", "GIF89a, and more".getBytes(ISO_8859_1))
                            .statusCode())
                    .isEqualTo(415);
            assertThat(client.upload("empty.jpg", new byte[0]).statusCode()).isEqualTo(422);
            assertThat(client.upload("cut.jpg", Arrays.copyOf(jpeg, jpeg.length / 2))
                            .statusCode())
                    .isEqualTo(422);
            assertThat(client.upload("cut.png", Arrays.copyOf(png, png.length - 1))
                            .statusCode())
                    .isEqualTo(422);
            assertThat(client.upload("flipped.png", flipped).statusCode()).isEqualTo(422);
            assertThat(client.list()).isEmpty();
            assertThat(new PhotosStore(folder).leftovers()).isEmpty();
            assertThat(new PhotosStore(folder).objects()).isEmpty();
            client.add("fine.jpg", jpeg);
        }
    }

    @Test
    void upload_badForms_areRefusedAndLeaveNothing() throws Exception {
        byte[] jpeg = Pictures.jpeg(64, 48, 1);
        byte[] whole = PhotosClient.multipart("photo", "a.jpg", jpeg);
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            assertThat(client.post(jpeg, "image/jpeg").statusCode()).isEqualTo(415);
            assertThat(client.post(whole, "multipart/form-data").statusCode()).isEqualTo(400);
            assertThat(client.post(Arrays.copyOf(whole, whole.length - 20), MULTIPART)
                            .statusCode())
                    .isEqualTo(400);
            assertThat(client.post("--wrong".getBytes(ISO_8859_1), MULTIPART).statusCode())
                    .isEqualTo(400);
            assertThat(client.post(PhotosClient.multipart("other", "a.jpg", jpeg), MULTIPART)
                            .statusCode())
                    .isEqualTo(400);
            assertThat(client.list()).isEmpty();
            assertThat(new PhotosStore(folder).leftovers()).isEmpty();
            assertThat(new PhotosStore(folder).objects()).isEmpty();
        }
    }

    @Test
    void request_badPathOrMethod_isRefused() throws Exception {
        var nobody = "/photos/" + "0".repeat(32);
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            for (var path : List.of(
                    "/photos/nothing", nobody, nobody + "/thumb", "/photos/..%2f..%2fphotos.db", "/none", "/.hidden")) {
                assertThat(client.method("GET", path).statusCode()).as(path).isEqualTo(404);
            }
            assertThat(client.method("DELETE", nobody).statusCode()).isEqualTo(404);
            assertThat(client.method("PUT", "/photos").statusCode()).isEqualTo(405);
            assertThat(client.method("DELETE", "/photos").statusCode()).isEqualTo(405);
            assertThat(client.method("POST", "/events").statusCode()).isEqualTo(405);
        }
    }

    @Test
    void head_floodedOrTooLong_isRefused() throws Exception {
        var fields = "X-Flood: 1\r\n".repeat(100);
        var large = ("X-Large: " + "x".repeat(8_000) + "\r\n").repeat(5);
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos)) {
            assertThat(raw(photos, "GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n"))
                    .startsWith("HTTP/1.1 431 ");
            assertThat(raw(photos, "GET / HTTP/1.1\r\nHost: h\r\n" + large + "\r\n"))
                    .startsWith("HTTP/1.1 431 ");
            assertThat(raw(photos, "GET / HTTP/1.1\r\nHost: h\r\nX: " + "x".repeat(8_192) + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 431 ");
            assertThat(raw(photos, "GET /" + "x".repeat(8_192) + " HTTP/1.1\r\nHost: h\r\n\r\n"))
                    .startsWith("HTTP/1.1 414 ");
            assertThat(client.get("/health/live").statusCode()).isEqualTo(200);
        }
    }

    /// The 10 s are real: the process has no other clock.
    @Test
    void head_thatTrickles_is408After10s() throws Exception {
        try (var photos = PhotosProcess.start(folder);
                var client = new PhotosClient(photos);
                var socket = connect(photos)) {
            long began = System.nanoTime();
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: h\r\nX: ".getBytes(ISO_8859_1));
            assertThat(client.get("/").statusCode()).isEqualTo(200);
            assertThat(new String(socket.getInputStream().readAllBytes(), ISO_8859_1))
                    .startsWith("HTTP/1.1 408 ")
                    .containsIgnoringCase("\r\nconnection: close\r\n");
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(Duration.ofMillis(9_990), Duration.ofSeconds(12));
        }
    }

    @Test
    void request_thatTwoReadersMayReadInTwoWays_is400AndTheNextIsNotSeen() throws Exception {
        var next = "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";
        try (var photos = PhotosProcess.start(folder)) {
            for (var fields : List.of(
                    "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                    "Content-Length: 5\r\nContent-Length: 6\r\n",
                    "Content-Length: +5\r\n",
                    "Transfer-Encoding: chunked, identity\r\n",
                    "Transfer-Encoding: xchunked\r\n",
                    "Transfer-Encoding : chunked\r\n",
                    "Content-Length : 5\r\n",
                    "X: 1\nContent-Length: 5\r\n",
                    "X: 1\r\n folded\r\n",
                    "Content-Length: 5\r\n Transfer-Encoding: chunked\r\n")) {
                var head = "POST /photos HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n";
                var all = raw(photos, head + "0\r\n\r\n" + next + next);
                assertThat(all)
                        .as(fields)
                        .startsWith("HTTP/1.1 400 ")
                        .containsIgnoringCase("\r\nconnection: close\r\n");
                assertThat(all.split("HTTP/1\\.1 ", -1))
                        .as("one answer to %s: %s", fields, all)
                        .hasSize(2);
            }
        }
    }

    private static Socket connect(PhotosProcess photos) throws Exception {
        var socket = new Socket(InetAddress.getLoopbackAddress(), photos.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    /// All that is answered until the server ends the connection.
    private static String raw(PhotosProcess photos, String request) throws Exception {
        try (var socket = connect(photos)) {
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void start_portTaken_saysSoInOneLineAndRollsBack() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var port = Integer.toString(taken.getLocalPort());
            assertRefused(
                    "--port: %s (expected: a free port; 127.0.0.1:%s is in use)".formatted(port, port), "--port", port);
        }
        assertThat(new PhotosStore(folder).leftovers()).isEmpty();
        PhotosProcess.start(folder).close();
    }

    @Test
    void start_badOptions_sayKeyValueAndRange() throws Exception {
        assertRefused("--stop-budget: 0s (expected: 1s to 1h)", "--stop-budget", "0s");
        assertRefused("--stop-budget: 5 (expected: 1s to 1h; the unit is missing, as in 5s)", "--stop-budget", "5");
        assertRefused("--data: '' (expected: a directory, made if it is not there)", "--data", "");
        assertRefused("--data: no value (expected: --data DIR)", "--report", "x", "--data");
        assertRefused("--photo-limit: many (expected: 1KiB to 4096MiB)", "--photo-limit", "many");
        assertRefused(
                "argument: --prot 1 (expected: one of --port, --data, --stop-budget, --photo-limit, --reclaim-grace,"
                        + " --report, --drill, --help)",
                "--prot",
                "1");
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void start_dataUnusable_saysSo() throws Exception {
        var file = Files.createFile(folder.resolve("file"));
        assertRefused(
                "--data: " + file + " (expected: a directory that can be made and written; a file is in its place)",
                "--data",
                "" + file);
        var below = file.resolve("photos");
        assertRefused(
                "--data: " + below + " (expected: a directory that can be made and written; Not a directory)",
                "--data",
                "" + below);
        assertRefused(
                "--data: /proc/photos (expected: a directory that can be made and written;"
                        + " the system does not let it be made there)",
                "--data",
                "/proc/photos");
    }

    @Test
    void start_dataInUse_saysSo() throws Exception {
        try (var photos = PhotosProcess.start(folder)) {
            assertThat(photos.port()).isPositive();
            assertRefused("--data: " + folder + " (expected: a directory that no other process uses)");
        }
    }

    private void assertRefused(String message, String... options) throws Exception {
        try (var photos = PhotosProcess.on(folder).with(options).launch()) {
            assertThat(photos.exitCode()).as(photos.errors()).isEqualTo(2);
            assertThat(photos.errors()).isEqualTo(message + "\n");
        }
    }
}
