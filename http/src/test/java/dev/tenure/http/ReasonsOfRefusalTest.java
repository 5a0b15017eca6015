package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Every shape that the server refuses by itself: its status, and the sentence that names the rule or the limit and
/// nothing of the request.
@ExtendWith(LeakCheck.class)
class ReasonsOfRefusalTest {
    private static final String HOST = "Host: h\r\n";
    private static final String CHUNKED = HOST + "Transfer-Encoding: chunked\r\n\r\n";

    /// What a client sent, and all that it is told.
    private record Shape(String sent, String told) {
        static Shape line(String line, String told) {
            return new Shape(line + "\r\n" + HOST + "\r\n", told);
        }

        static Shape fields(String fields, String told) {
            return new Shape("POST /take HTTP/1.1\r\n" + fields + "\r\n\r\n", told);
        }

        static Shape chunks(String chunks, String told) {
            return new Shape("POST /take HTTP/1.1\r\n" + CHUNKED + chunks, told);
        }
    }

    private static final List<Shape> LINES = List.of(
            Shape.line("GET /", "400 the request line is not a method, a target and a version with one space between"),
            Shape.line("ECHO", "400 the request line is not a method, a target and a version with one space between"),
            Shape.line(
                    "GET  / HTTP/1.1",
                    "400 the request line is not a method, a target and a version with one space between"),
            Shape.line(
                    "GET / HTTP/1.1 ",
                    "400 the request line is not a method, a target and a version with one space between"),
            Shape.line(
                    " GET / HTTP/1.1",
                    "400 the request line is not a method, a target and a version with one space between"),
            Shape.line("GET / http/1.1", "400 the request line does not end in a version such as HTTP/1.1"),
            Shape.line("GET / HTTP/1.x", "400 the request line does not end in a version such as HTTP/1.1"),
            Shape.line("GET / ECHO", "400 the request line does not end in a version such as HTTP/1.1"),
            Shape.line("G(T / HTTP/1.1", "400 the method is not a token"),
            Shape.line("ECHO / HTTP/1.1", "501 the method is not known here"),
            Shape.line("GET / HTTP/2.0", "505 only HTTP/1.0 and HTTP/1.1 are spoken here"),
            Shape.line("GET /a#ECHO HTTP/1.1", "400 the target has a character that no target has"),
            Shape.line("GET /a\\ECHO HTTP/1.1", "400 the target has a character that no target has"),
            Shape.line("GET /\u00e4 HTTP/1.1", "400 the target has a character that no target has"),
            Shape.line("GET ECHO HTTP/1.1", "400 the target is neither a path nor an absolute http address"),
            Shape.line("GET * HTTP/1.1", "400 the target is neither a path nor an absolute http address"),
            Shape.line("GET http:///ECHO HTTP/1.1", "400 the absolute target has no host"),
            Shape.line("\r\n\r\nGET / HTTP/1.1", "400 more than one empty line comes before the request line"),
            Shape.line("GET / HTTP/1.1\nX: ECHO", "400 a line of the head ends in a bare LF"),
            Shape.line("GET / HTTP/1.1\rX: ECHO", "400 the head has a CR that does not end a line"),
            Shape.line("GET /ECHO\0 HTTP/1.1", "400 the head has a control character"),
            Shape.line("GET /%zECHO HTTP/1.1", "400 the path is not percent-encoded as RFC 3986 has it"),
            Shape.line("GET /%4 HTTP/1.1", "400 the path is not percent-encoded as RFC 3986 has it"),
            Shape.line("GET /query?a=%zECHO HTTP/1.1", "400 the query is not percent-encoded UTF-8 without controls"),
            Shape.line("GET /" + "x".repeat(8_192) + " HTTP/1.1", "414 the request line has more than 8192 bytes"),
            Shape.line("GET /none HTTP/1.1", "404 Not Found"),
            Shape.line("GET /a/../b HTTP/1.1", "404 Not Found"),
            Shape.line("PUT /take HTTP/1.1", "405 Method Not Allowed"));

    private static final List<Shape> FIELDS = List.of(
            Shape.fields(HOST + "X : ECHO", "400 a field has a blank before its colon"),
            Shape.fields(
                    HOST + "X: 1\r\n ECHO", "400 a field line begins with a blank, and folded lines are not taken"),
            Shape.fields(
                    HOST + "X: 1\r\n\tECHO", "400 a field line begins with a blank, and folded lines are not taken"),
            Shape.fields(HOST + "ECHO", "400 a field line does not begin with a name and a colon"),
            Shape.fields(HOST + ": ECHO", "400 a field line does not begin with a name and a colon"),
            Shape.fields(HOST + "X\u00e9: ECHO", "400 a field line does not begin with a name and a colon"),
            Shape.fields(HOST + "X: a\0ECHO", "400 the head has a control character"),
            Shape.fields(HOST + "X: a\u007fECHO", "400 the head has a control character"),
            Shape.fields("X: no host", "400 the Host field is missing"),
            Shape.fields(HOST + "Host: ECHO", "400 the Host field is there more than once"),
            Shape.fields("Host: ECHO/x", "400 the Host field has a character that no host has"),
            Shape.fields(HOST + "Expect: ECHO", "417 only the expectation 100-continue can be met"),
            Shape.fields(
                    HOST + "Content-Length: 5\r\nTransfer-Encoding: chunked",
                    "400 Transfer-Encoding and Content-Length are both there"),
            Shape.fields(
                    HOST + "Content-Length: 5\r\nContent-Length: 5",
                    "400 the Content-Length field is there more than once"),
            Shape.fields(HOST + "Content-Length: ", "400 the Content-Length is empty or has more than 18 digits"),
            Shape.fields(
                    HOST + "Content-Length: " + "9".repeat(19),
                    "400 the Content-Length is empty or has more than 18 digits"),
            Shape.fields(HOST + "Content-Length: +5", "400 the Content-Length is not a plain number"),
            Shape.fields(HOST + "Content-Length: 5, 5", "400 the Content-Length is not a plain number"),
            Shape.fields(
                    HOST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
                    "400 the Transfer-Encoding field is there more than once"),
            Shape.fields(
                    HOST + "Transfer-Encoding: chunked, chunked",
                    "400 the Transfer-Encoding does not end in chunked, once"),
            Shape.fields(
                    HOST + "Transfer-Encoding: chunked, gzip",
                    "400 the Transfer-Encoding does not end in chunked, once"),
            Shape.fields(
                    HOST + "Transfer-Encoding: xchunked", "400 the Transfer-Encoding does not end in chunked, once"),
            Shape.fields(HOST + "Transfer-Encoding: gzip, chunked", "501 the only transfer coding taken is chunked"),
            new Shape(
                    "POST /take HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
                    "400 Transfer-Encoding is not for HTTP/1.0"),
            Shape.fields(HOST + "X: " + "x".repeat(8_192), "431 a field line has more than 8192 bytes"),
            Shape.fields(
                    HOST + ("X: " + "x".repeat(8_000) + "\r\n").repeat(5), "431 the head has more than 32768 bytes"),
            Shape.fields(HOST + "X: 1\r\n".repeat(100), "431 the head has more than 100 fields"));

    private static final List<Shape> BODIES = List.of(
            Shape.fields(HOST + "Content-Length: 1048577", "413 the body has more than 1048576 bytes"),
            Shape.chunks("100001\r\n" + "x".repeat(0x100001), "413 the body has more than 1048576 bytes"),
            new Shape(
                    "POST /small HTTP/1.1\r\n" + HOST + "Content-Length: 11\r\n\r\n",
                    "413 ten bytes are enough for everybody"),
            new Shape(
                    "POST /small HTTP/1.1\r\n" + CHUNKED + "b\r\nhello hello",
                    "413 ten bytes are enough for everybody"),
            Shape.chunks("\r\n", "400 a chunk has no size"),
            Shape.chunks("xECHO\r\n", "400 a chunk has no size"),
            Shape.chunks("0x5\r\n", "400 a chunk size is not a hexadecimal number"),
            Shape.chunks("5 \r\n", "400 a chunk size is not a hexadecimal number"),
            Shape.chunks("1".repeat(16) + "\r\n", "400 a chunk size has more than 15 digits"),
            Shape.chunks("5\r\nhelloXX", "400 a chunk or its line does not end in CR LF"),
            Shape.chunks("5;a\nECHO\r\n", "400 a chunk extension has a control character"),
            Shape.chunks("5;" + "x".repeat(1_025), "400 a chunk line has more than 1024 bytes"),
            Shape.chunks("0\r\n X: ECHO\r\n", "400 a trailer line does not begin with a name and a colon"),
            Shape.chunks("0\r\nECHO\r\n", "400 a trailer line does not begin with a name and a colon"),
            Shape.chunks("0\r\nX: \0ECHO\r\n", "400 a trailer has a control character"),
            Shape.chunks("0\r\n" + "X: 1\r\n".repeat(65), "431 there are more than 64 trailer fields"),
            Shape.chunks("0\r\nX: " + "x".repeat(16_384), "431 the trailers have more than 16384 bytes"));

    @TempDir
    private Path root;

    private TestServer server() throws IOException {
        Files.writeString(root.resolve("a.txt"), "hello");
        return TestServer.serving(routes -> routes.post("/take", exchange -> {
                    exchange.body().bytes();
                    return Response.ok().text("taken");
                })
                .post(
                        "/small",
                        RouteOptions.defaults().bodyBytesMax(10, "ten bytes are enough for everybody"),
                        exchange -> {
                            exchange.body().bytes();
                            return Response.ok().text("taken");
                        })
                .get(
                        "/query",
                        exchange -> Response.ok().text(exchange.query("a").orElse("")))
                .get("/files/{path...}", StaticFiles.in(root)));
    }

    private void assertTold(List<Shape> shapes) throws IOException {
        try (var server = server()) {
            for (Shape shape : shapes) {
                try (var client = server.connect()) {
                    var answer = client.send(shape.sent()).read();
                    assertThat(answer.text()).as(shape.sent()).isEqualTo(shape.told() + "\n");
                    assertThat(answer.status() + " ").isEqualTo(shape.told().substring(0, 4));
                    assertThat(answer.field("content-type")).isEqualTo("text/plain; charset=utf-8");
                    assertThat(answer.head() + answer.text())
                            .as("nothing of the request")
                            .doesNotContain("ECHO");
                }
            }
            assertThat(server.failures()).isEmpty();
        }
    }

    @Test
    void requestLines_malformed_nameTheRule() throws IOException {
        assertTold(LINES);
    }

    @Test
    void fields_malformed_nameTheRule() throws IOException {
        assertTold(FIELDS);
    }

    @Test
    void bodies_malformedOrTooLarge_nameTheRuleOrTheLimit() throws IOException {
        assertTold(BODIES);
    }

    @Test
    void range_outsideTheFile_saysHowMuchThereIs() throws IOException {
        try (var server = server();
                var client = server.connect()) {
            var answer = client.get("/files/a.txt", "Range: bytes=5-");
            assertThat(answer.status()).isEqualTo(416);
            assertThat(answer.field("content-range")).isEqualTo("bytes */5");
            assertThat(answer.text()).isEqualTo("416 the range has none of the 5 bytes that there are\n");
            assertThat(client.get("/files/a.txt").text())
                    .as("the connection goes on")
                    .isEqualTo("hello");
        }
    }
}
