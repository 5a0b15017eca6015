package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseTest {
    @ParameterizedTest
    @ValueSource(strings = {"a\r\nX: b", "a\nb", "a\rb", "a\0b", "a\u007f", "\u0001", "\u20ac"})
    void header_valueThatCannotBeSent_isRefused(String value) {
        var builder = Response.ok();
        assertThatThrownBy(() -> builder.header("X-A", value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("X-A")
                .hasMessageNotContaining(value);
        assertThatThrownBy(() -> Response.created(value)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Response.ok().type(value)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Response.ok().etag(value)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a:", "a\r", "\u00e9"})
    void header_nameThatIsNoToken_isRefused(String name) {
        assertThatThrownBy(() -> Response.ok().header(name, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: a token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length", "transfer-encoding", "Connection", "Date", "Upgrade"})
    void header_thatIsTheServers_isRefused(String name) {
        assertThatThrownBy(() -> Response.ok().header(name, "x"))
                .hasMessage("header: " + name + " (expected: a field that is not the server's own)");
    }

    @Test
    void builder_outOfRange_isRefused() {
        assertThatThrownBy(() -> Response.status(199)).hasMessage("status: 199 (expected: 200 to 599)");
        assertThatThrownBy(() -> Response.status(600)).hasMessage("status: 600 (expected: 200 to 599)");
        assertThatThrownBy(() -> Response.status(204).text("x")).hasMessage("status: 204 with a body (expected: none)");
        assertThatThrownBy(() -> new HttpStatusException(200, "")).hasMessage("status: 200 (expected: 400 to 599)");
        var large = "x".repeat(20_000);
        var builder = Response.ok().header("A", large);
        assertThatThrownBy(() -> builder.header("B", large)).hasMessageContaining("expected: <= 32768");
    }

    @Test
    void builder_showsWhatItSet() {
        var response = Response.created("/photos/1")
                .etag("v1")
                .lastModified(Instant.EPOCH)
                .header("X-A", "1")
                .header("X-B", "2")
                .text("x");
        assertThat(response.status()).isEqualTo(201);
        assertThat(response.header("location")).contains("/photos/1");
        assertThat(response.header("etag")).contains("\"v1\"");
        assertThat(response.header("last-modified")).contains("Thu, 01 Jan 1970 00:00:00 GMT");
        assertThat(response.header("X-B")).contains("2");
        assertThat(response.header("X-C")).isEmpty();
        assertThat(Response.status(204).empty().status()).isEqualTo(204);
    }

    @Test
    void builder_whatIsSetTwice_isSentOnce() throws IOException {
        var when = Instant.parse("2026-01-02T03:04:05Z");
        try (var server = TestServer.serving(routes -> routes.get(
                        "/",
                        _ -> Response.ok()
                                .header("content-type", "text/html")
                                .header("Vary", "Accept")
                                .header("Vary", "Origin")
                                .header("ETag", "\"old\"")
                                .lastModified(when)
                                .type("text/css")
                                .etag("new")
                                .lastModified(when.plusSeconds(1))
                                .type("text/plain")
                                .empty()));
                var client = server.connect()) {
            assertThat(client.get("/").head().toLowerCase(Locale.ROOT).lines())
                    .filteredOn(line -> line.matches("(content-type|etag|last-modified|vary): .*"))
                    .containsExactly(
                            "vary: accept",
                            "vary: origin",
                            "etag: \"new\"",
                            "last-modified: fri, 02 jan 2026 03:04:06 gmt",
                            "content-type: text/plain");
        }
    }

    @Test
    void builder_replacedFields_doNotCountTowardsTheLimit() {
        var builder = Response.ok();
        for (int i = 0; i < 10; i++) {
            builder.etag("x".repeat(10_000));
        }
        assertThat(builder.empty().header("ETag")).isPresent();
    }
}
