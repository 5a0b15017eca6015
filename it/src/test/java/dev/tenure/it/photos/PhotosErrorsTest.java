package dev.tenure.it.photos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the example tells a client that it refuses, byte by byte over a socket.
class PhotosErrorsTest {
    private static final String TOO_LARGE = "413 a photo may have at most 100 KiB\n";
    private static final String MULTIPART =
            "Content-Type: multipart/form-data; boundary=" + PhotosClient.BOUNDARY + "\r\n";

    @TempDir
    Path folder;

    /// Each shape of an upload that is too large names the photo's limit, in the unit of the option.
    @Test
    void upload_tooLarge_namesThePhotosLimit() throws Exception {
        try (var photos = PhotosProcess.start(folder, "--photo-limit", "100KiB")) {
            byte[] announced = PhotosClient.multipart("photo", "big.jpg", new byte[252_000]);
            assertThat(told(photos, whole(announced)))
                    .as("Content-Length over it")
                    .isEqualTo(TOO_LARGE);
            assertThat(told(photos, head(announced.length))).as("not even sent").isEqualTo(TOO_LARGE);
            assertThat(told(photos, chunked(announced))).as("chunked").isEqualTo(TOO_LARGE);
            byte[] part = PhotosClient.multipart("photo", "big.jpg", new byte[(100 << 10) + 1]);
            assertThat(told(photos, whole(part))).as("the part alone").isEqualTo(TOO_LARGE);
            assertThat(told(photos, chunked(part)))
                    .as("the part alone, chunked")
                    .isEqualTo(TOO_LARGE);
            byte[] fits = PhotosClient.multipart("photo", "zeros.jpg", new byte[100 << 10]);
            assertThat(told(photos, whole(fits))).as("just as large as may be").startsWith("415 ");
            assertThat(new PhotosStore(folder).leftovers()).isEmpty();
        }
    }

    @Test
    void path_thatIsNone_is404_orMalformed400() throws Exception {
        Map<String, Integer> paths = Map.ofEntries(
                Map.entry("/../etc/passwd", 404),
                Map.entry("/%2e%2e/", 404),
                Map.entry("/%2e%2e/%2e%2e/etc/passwd", 404),
                Map.entry("/.%2e/photos.db", 404),
                Map.entry("/photos/../photos", 404),
                Map.entry("/photos/.", 404),
                Map.entry("/..%2f..%2fetc%2fpasswd", 404),
                Map.entry("/photos/..%2f..%2fphotos.db", 404),
                Map.entry("/photos%2fnothing", 404),
                Map.entry("/%00", 404),
                Map.entry("/photos/%00", 404),
                Map.entry("/index.html%00.png", 404),
                Map.entry("/%c0%ae%c0%ae/etc/passwd", 404),
                Map.entry("/%ff", 404),
                Map.entry("/%252e%252e/etc/passwd", 404),
                Map.entry("//etc/passwd", 404),
                Map.entry("/..%5cphotos.db", 404),
                Map.entry("/%", 400),
                Map.entry("/%4", 400),
                Map.entry("/%zz", 400),
                Map.entry("/photos/%zz", 400),
                Map.entry("/../%zz", 400),
                Map.entry("/..\\photos.db", 400));
        try (var photos = PhotosProcess.start(folder)) {
            for (var path : paths.entrySet()) {
                String answer =
                        raw(photos, "GET " + path.getKey() + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
                assertThat(answer).as(path.getKey()).startsWith("HTTP/1.1 " + path.getValue() + " ");
                assertThat(answer).as(path.getKey()).doesNotContain("root:", "SQLite");
            }
        }
    }

    private static byte[] head(int length) {
        return ("POST /photos HTTP/1.1\r\nHost: h\r\n" + MULTIPART + "Content-Length: " + length + "\r\n\r\n")
                .getBytes(ISO_8859_1);
    }

    private static byte[] whole(byte[] body) {
        var request = new ByteArrayOutputStream();
        request.writeBytes(head(body.length));
        request.writeBytes(body);
        return request.toByteArray();
    }

    private static byte[] chunked(byte[] body) {
        var request = new ByteArrayOutputStream();
        request.writeBytes(("POST /photos HTTP/1.1\r\nHost: h\r\n" + MULTIPART + "Transfer-Encoding: chunked\r\n\r\n")
                .getBytes(ISO_8859_1));
        for (int at = 0; at < body.length; at += 16_384) {
            int length = Math.min(16_384, body.length - at);
            request.writeBytes((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
            request.write(body, at, length);
            request.writeBytes("\r\n".getBytes(ISO_8859_1));
        }
        request.writeBytes("0\r\n\r\n".getBytes(ISO_8859_1));
        return request.toByteArray();
    }

    /// The body of the one answer; what is sent may be cut off by it.
    private static String told(PhotosProcess photos, byte[] request) throws IOException {
        String answer = raw(photos, request);
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static String raw(PhotosProcess photos, String request) throws IOException {
        return raw(photos, request.getBytes(ISO_8859_1));
    }

    private static String raw(PhotosProcess photos, byte[] request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), photos.port())) {
            socket.setSoTimeout(30_000);
            socket.getOutputStream().write(request);
            var answer = new ByteArrayOutputStream();
            var in = socket.getInputStream();
            while (!isComplete(answer.toString(ISO_8859_1))) {
                int next = in.read();
                if (next < 0) {
                    break;
                }
                answer.write(next);
            }
            return answer.toString(ISO_8859_1);
        }
    }

    /// By its length: a connection that goes on is not waited for.
    private static boolean isComplete(String answer) {
        int end = answer.indexOf("\r\n\r\n");
        int field = answer.indexOf("Content-Length: ");
        if (end < 0 || field < 0) {
            return false;
        }
        int length = Integer.parseInt(answer.substring(field + 16, answer.indexOf("\r\n", field)));
        return answer.length() >= end + 4 + length;
    }
}
