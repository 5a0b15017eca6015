package dev.tenure.it.photos;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.jackson.JacksonJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What the page does, without the page.
final class PhotosClient implements AutoCloseable {
    static final String BOUNDARY = "photos-boundary-3f1b";

    private final PhotosProcess photos;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    PhotosClient(PhotosProcess photos) {
        this.photos = photos;
    }

    /// A photo as the list shows it.
    record Photo(
            String id,
            String name,
            String type,
            int width,
            int height,
            long bytes,
            String state,
            String reason,
            String addedAt) {}

    private record Created(String id) {}

    /// An event of the feed.
    record Event(String name, String data) {
        Photo photo() {
            return JacksonJson.create().read(data.getBytes(UTF_8), Photo.class);
        }
    }

    static byte[] multipart(String field, String filename, byte[] content) {
        var body = new ByteArrayOutputStream();
        body.writeBytes("""
                --%s\r
                Content-Disposition: form-data; name="%s"; filename="%s"\r
                Content-Type: application/octet-stream\r
                \r
                """.formatted(BOUNDARY, field, filename).getBytes(UTF_8));
        body.writeBytes(content);
        body.writeBytes("\r\n--%s--\r\n".formatted(BOUNDARY).getBytes(UTF_8));
        return body.toByteArray();
    }

    HttpResponse<String> post(byte[] body, String type) throws Exception {
        var request = HttpRequest.newBuilder(photos.uri("/photos"))
                .header("Content-Type", type)
                .timeout(Duration.ofMinutes(1))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    HttpResponse<String> upload(String filename, byte[] content) throws Exception {
        return post(multipart("photo", filename, content), "multipart/form-data; boundary=" + BOUNDARY);
    }

    /// Uploads what has to be taken, and returns its id.
    String add(String filename, byte[] content) throws Exception {
        var response = upload(filename, content);
        if (response.statusCode() != 201) {
            throw new AssertionError(filename + ": " + response.statusCode() + " " + response.body());
        }
        return JacksonJson.create()
                .read(response.body().getBytes(UTF_8), Created.class)
                .id();
    }

    HttpResponse<byte[]> get(String path, String... headers) throws Exception {
        return send(headers.length == 0 ? request(path) : request(path).headers(headers));
    }

    HttpResponse<byte[]> method(String method, String path) throws Exception {
        return send(request(path).method(method, BodyPublishers.noBody()));
    }

    /// Sends a request without waiting for its answer; the status completes it.
    CompletableFuture<Integer> start(String path) {
        return http.sendAsync(request(path).build(), BodyHandlers.ofString()).thenApply(HttpResponse::statusCode);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(photos.uri(path)).timeout(Duration.ofMinutes(1));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofByteArray());
    }

    List<Photo> list() throws Exception {
        var response = get("/photos");
        if (response.statusCode() != 200) {
            throw new AssertionError(
                    "%d %s\n%s".formatted(response.statusCode(), new String(response.body(), UTF_8), photos.errors()));
        }
        return List.of(JacksonJson.create().read(response.body(), Photo[].class));
    }

    /// Follows the feed until the wanted event, and returns it.
    Event awaitEvent(Predicate<Event> wanted) throws Exception {
        try (var events = events()) {
            return events.await(wanted);
        }
    }

    /// Waits until no photo is being processed any more, and returns the list.
    List<Photo> awaitSettled() throws Exception {
        try (var events = events()) {
            var photos = list();
            while (photos.stream().anyMatch(photo -> photo.state().equals("processing"))) {
                events.await(event -> !event.name().equals("hello"));
                photos = list();
            }
            return photos;
        }
    }

    /// Opens the feed.
    Events events() throws Exception {
        var response =
                http.send(request("/events").timeout(Duration.ofMinutes(2)).build(), BodyHandlers.ofLines());
        return new Events(response.body());
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    /// An open feed.
    static final class Events implements AutoCloseable {
        private final Stream<String> lines;
        private final Iterator<String> each;

        Events(Stream<String> lines) {
            this.lines = lines;
            this.each = lines.iterator();
        }

        /// The next wanted event, which must come before the feed ends.
        Event await(Predicate<Event> wanted) {
            while (true) {
                var event = next();
                if (wanted.test(event)) {
                    return event;
                }
            }
        }

        private Event next() {
            String name = "message";
            String data = "";
            while (each.hasNext()) {
                String line = each.next();
                if (line.startsWith("event:")) {
                    name = line.substring(6).strip();
                } else if (line.startsWith("data:")) {
                    data = line.substring(5).strip();
                } else if (line.isEmpty() && !(name.equals("message") && data.isEmpty())) {
                    return new Event(name, data);
                }
            }
            throw new AssertionError("the feed ended");
        }

        @Override
        public void close() {
            lines.close();
        }
    }

    /// A real photograph from the example's own tests.
    static byte[] photograph(String name) throws IOException {
        return Files.readAllBytes(
                Path.of("..", "examples", "photos", "src", "test", "resources", "photos", name + ".jpg"));
    }
}
