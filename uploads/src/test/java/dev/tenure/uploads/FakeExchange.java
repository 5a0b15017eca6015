package dev.tenure.uploads;

import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Scope;
import dev.tenure.host.Activity;
import dev.tenure.http.Exchange;
import dev.tenure.http.RequestBody;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// An exchange with a given head and body, in the scope that is current.
final class FakeExchange implements Exchange {
    private final Map<String, String> headers;
    private final InputStream body;
    private final long contentLength;

    private FakeExchange(Map<String, String> headers, InputStream body, long contentLength) {
        this.headers = headers;
        this.body = body;
        this.contentLength = contentLength;
    }

    static FakeExchange multipart(String body) {
        var bytes = body.getBytes(StandardCharsets.ISO_8859_1);
        return multipart(new ByteArrayInputStream(bytes), bytes.length);
    }

    static FakeExchange multipart(InputStream body, long contentLength) {
        return of("multipart/form-data; boundary=B", body, contentLength);
    }

    static FakeExchange of(String contentType, InputStream body, long contentLength) {
        return new FakeExchange(Map.of("content-type", contentType), body, contentLength);
    }

    static FakeExchange untyped() {
        return new FakeExchange(Map.of(), InputStream.nullInputStream(), 0);
    }

    static String part(String field, String content) {
        return "--B\r\nContent-Disposition: form-data; name=\"" + field + "\"; filename=\"../../" + field
                + "\"\r\nContent-Type: image/jpeg\r\n\r\n" + content + "\r\n";
    }

    @Override
    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name.toLowerCase(Locale.ROOT)));
    }

    @Override
    public List<String> headers(String name) {
        return header(name).stream().toList();
    }

    @Override
    public long contentLength() {
        return contentLength;
    }

    @Override
    public RequestBody body() {
        return new RequestBody() {
            @Override
            public InputStream stream() {
                return body;
            }

            @Override
            public byte[] bytes() {
                throw new AssertionError("not used");
            }

            @Override
            public String text() {
                throw new AssertionError("not used");
            }

            @Override
            public <T> T json(Class<T> type) {
                throw new AssertionError("not used");
            }
        };
    }

    @Override
    public String route() {
        return "POST /photos";
    }

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return "/photos";
    }

    @Override
    public String path(String name) {
        throw new AssertionError("not used");
    }

    @Override
    public Optional<String> query(String name) {
        return Optional.empty();
    }

    @Override
    public Activity activity() {
        throw new AssertionError("an activity would make the answer go out before the file is gone");
    }

    @Override
    public Scope scope() {
        return Scope.current();
    }

    @Override
    public Deadline deadline() {
        return Deadline.none();
    }

    @Override
    public ExecutionCancellation cancellation() {
        return Scope.current().cancellation();
    }

    @Override
    public String id() {
        return "test-1";
    }

    @Override
    public boolean stopping() {
        return false;
    }
}
