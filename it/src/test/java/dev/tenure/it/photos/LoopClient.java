package dev.tenure.it.photos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/// A client in a closed loop on one kept-alive connection: request, response, next request, until the server says
/// `Connection: close`.
final class LoopClient implements Runnable {
    private static final String ECHO = "echo ".repeat(200);

    private final int port;
    private final SplittableRandom random;
    private final Runnable onResponse;
    private final String upload;
    private final List<Answer> answers = new ArrayList<>();
    private Optional<String> lost = Optional.empty();
    private long closedAt;

    LoopClient(int port, SplittableRandom random, byte[] upload, Runnable onResponse) {
        this.port = port;
        this.random = random;
        this.upload = new String(upload, ISO_8859_1);
        this.onResponse = onResponse;
    }

    /// One response.
    record Answer(String request, int status, boolean closing, long sentAt, long doneAt) {}

    /// What it got, in order.
    List<Answer> answers() {
        return answers;
    }

    /// What became of a request that got no response, or of a response that was wrong.
    Optional<String> lost() {
        return lost;
    }

    /// When the server closed the connection, after it had said so.
    long closedAt() {
        return closedAt;
    }

    @Override
    public void run() {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(30_000);
            loop(socket);
        } catch (IOException | RuntimeException failure) {
            lost = Optional.of("after %d answers, the last %s: %s"
                    .formatted(answers.size(), answers.isEmpty() ? "none" : answers.getLast(), failure));
        }
    }

    private void loop(Socket socket) throws IOException {
        var in = new BufferedInputStream(socket.getInputStream());
        while (true) {
            var request = request();
            long sentAt = System.nanoTime();
            socket.getOutputStream().write(request.text().getBytes(ISO_8859_1));
            var response = read(in);
            var answer = new Answer(request.name(), response.status(), response.closing(), sentAt, System.nanoTime());
            answers.add(answer);
            check(request, response);
            onResponse.run();
            if (answer.closing()) {
                awaitEnd(in);
                return;
            }
        }
    }

    private void awaitEnd(InputStream in) throws IOException {
        if (in.read() >= 0) {
            throw new IOException("bytes after the last response");
        }
        closedAt = System.nanoTime();
    }

    /// Texts are Latin-1, one character a byte.
    private record Request(String name, String text, int status, Optional<String> body) {}

    private Request request() {
        return switch (random.nextInt(4)) {
            case 0 -> get("/drill/plain", "hello");
            case 1 -> get("/drill/slow?ms=50", "slept 50 ms");
            case 2 -> new Request("POST /drill/echo", post("/drill/echo", "text/plain", ECHO), 200, Optional.of(ECHO));
            default ->
                new Request(
                        "POST /photos",
                        post("/photos", "multipart/form-data; boundary=" + PhotosClient.BOUNDARY, upload),
                        201,
                        Optional.empty());
        };
    }

    private static Request get(String path, String body) {
        var head = "GET %s HTTP/1.1\r\nHost: photos\r\n\r\n".formatted(path);
        return new Request("GET " + path, head, 200, Optional.of(body));
    }

    private static String post(String path, String type, String body) {
        return "POST %s HTTP/1.1\r\nHost: photos\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s"
                .formatted(path, type, body.length(), body);
    }

    private static void check(Request request, Response response) throws IOException {
        boolean sameBody = request.body().isEmpty() || request.body().get().equals(response.body());
        if (response.status() != request.status() || !sameBody) {
            throw new IOException("%s: %d %s".formatted(request.name(), response.status(), response.body()));
        }
    }

    private record Response(int status, boolean closing, String body) {}

    private static Response read(InputStream in) throws IOException {
        int status = Integer.parseInt(line(in).substring(9, 12));
        boolean closing = false;
        int length = 0;
        for (String field = line(in); !field.isEmpty(); field = line(in)) {
            var lower = field.toLowerCase(Locale.ROOT);
            closing |= lower.equals("connection: close");
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring(15).strip());
            }
            if (lower.startsWith("transfer-encoding:")) {
                throw new IOException("unexpected " + field);
            }
        }
        byte[] body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the body ends after %d of %d bytes".formatted(body.length, length));
        }
        return new Response(status, closing, new String(body, ISO_8859_1));
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException(line.isEmpty() ? "closed without a response" : "closed inside a head: " + line);
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
