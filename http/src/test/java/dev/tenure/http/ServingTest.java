package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Scope;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class ServingTest {
    @Test
    void get_smallText_isAnsweredAndTheConnectionKept() throws IOException {
        try (var server = TestServer.serving(
                        routes -> routes.get("/plain", _ -> Response.ok().text("hello")));
                var client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                var answer = client.get("/plain");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.text()).isEqualTo("hello");
                assertThat(answer.field("content-type")).isEqualTo("text/plain; charset=utf-8");
                assertThat(answer.field("date")).endsWith("GMT");
                assertThat(answer.closes()).isFalse();
            }
        }
    }

    @Test
    void handler_hasAScopeOfItsOwn() throws IOException {
        try (var server = TestServer.serving(routes -> routes.get(
                        "/a/{name}/{rest...}",
                        exchange -> Response.ok()
                                .text(Scope.current().name() + " " + exchange.path("name") + " " + exchange.path("rest")
                                        + " " + exchange.query("q").orElse("-"))));
                var client = server.connect()) {
            assertThat(client.get("/a/b%20c/d/e?q=1+2%26").text()).isEqualTo("GET /a/{name}/{rest...} b c d/e 1 2&");
        }
    }

    @Test
    void post_body_isEchoed() throws IOException {
        try (var server = TestServer.serving(routes -> routes.post(
                        "/echo", exchange -> Response.ok().bytes(exchange.body().bytes())));
                var client = server.connect()) {
            client.send(request("POST", "/echo", "Content-Length: 5") + "hello");
            assertThat(client.read().text()).isEqualTo("hello");
            client.send(
                    request("POST", "/echo", "Transfer-Encoding: chunked") + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n");
            assertThat(client.read().text()).isEqualTo("abcde");
            byte[] big = new byte[1_000_000];
            java.util.Arrays.fill(big, (byte) 'x');
            client.send(request("POST", "/echo", "Content-Length: 1000000")).send(big);
            assertThat(client.read().body()).isEqualTo(big);
        }
    }

    @Test
    void body_ofOneMebibyte_isTaken_andOneByteMoreIs413() throws IOException {
        int mebibyte = 1 << 20;
        try (var server = TestServer.serving(routes -> routes.post(
                "/", exchange -> Response.ok().text("" + exchange.body().bytes().length)))) {
            assertAnswer(server, mebibyte, 200);
            assertAnswer(server, mebibyte + 1, 413);
        }
    }

    private static void assertAnswer(TestServer server, int length, int status) throws IOException {
        try (var whole = server.connect();
                var chunked = server.connect()) {
            whole.send(request("POST", "/", "Content-Length: " + length));
            if (status == 200) {
                whole.send(new byte[length]);
            }
            chunked.send(request("POST", "/", "Transfer-Encoding: chunked"))
                    .send(Integer.toHexString(length) + "\r\n")
                    .send(new byte[length])
                    .send("\r\n0\r\n\r\n");
            assertThat(whole.read().status()).isEqualTo(status);
            assertThat(chunked.read().status()).isEqualTo(status);
        }
    }

    @Test
    void stream_ofManyPieces_arrivesChunked() throws IOException {
        try (var server = TestServer.serving(routes -> routes.get(
                        "/stream",
                        _ -> Response.ok().type("text/plain").stream(out -> {
                            for (int i = 0; i < 100_000; i++) {
                                out.write("0123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                            }
                        })));
                var client = server.connect()) {
            assertThat(client.get("/stream").body()).hasSize(1_000_000);
            assertThat(client.get("/stream").body()).hasSize(1_000_000);
        }
    }

    @Test
    void stop_idleAndWarm_isGracefulAndFast() throws IOException {
        try (var server = TestServer.serving(
                routes -> routes.get("/plain", _ -> Response.ok().text("hello")))) {
            try (var client = server.connect()) {
                client.get("/plain");
            }
            var report = server.stop();
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(server.failures()).isEmpty();
        }
    }
}
