package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Requests that two readers could read in two ways: 400 and close, and the request that follows is never seen.
@ExtendWith(LeakCheck.class)
class C069_AmbiguousFramingTest {
    private static final String POST = "POST /take HTTP/1.1\r\nHost: h\r\n";
    private static final String MARKER = "GET /marker HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final String CHUNKS = "5\r\nhello\r\n0\r\n\r\n";

    private static final List<String> AMBIGUOUS = List.of(
            POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n" + CHUNKS,
            POST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
            POST + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
            POST + "Content-Length: 5, 5\r\n\r\nhello",
            POST + "Content-Length: +5\r\n\r\nhello",
            POST + "Content-Length: -5\r\n\r\nhello",
            POST + "Content-Length: 0x5\r\n\r\nhello",
            POST + "Content-Length: 5 5\r\n\r\nhello",
            POST + "Content-Length: \r\n\r\nhello",
            POST + "Content-Length: 5.0\r\n\r\nhello",
            POST + "Content-Length: 99999999999999999999\r\n\r\nhello",
            POST + "Content-Length : 5\r\n\r\nhello",
            POST + " Content-Length: 5\r\n\r\nhello",
            POST + "X: y\r\n Content-Length: 5\r\n\r\nhello",
            POST + "Content-Length: 5\n\r\n\r\nhello",
            POST + "Content-Length:\0 5\r\n\r\nhello",
            POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: chunked, chunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: chunked, gzip\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: identity\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: xchunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: \"chunked\"\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding:\u000bchunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: chunked;q=1\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding : chunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding:\r\n chunked\r\n\r\n" + CHUNKS,
            POST + "Transfer-Encoding: \r\n\r\n" + CHUNKS,
            "POST /take HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n" + CHUNKS,
            "POST /take HTTP/1.1\nHost: h\nContent-Length: 5\n\nhello",
            "POST  /take HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
            "POST /take HTTP/1.1 \r\nHost: h\r\nContent-Length: 5\r\n\r\nhello",
            "POST /take HTTP/1.1\r\nHost: h\r\nHost: i\r\nContent-Length: 5\r\n\r\nhello",
            POST + "Transfer-Encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n5 \r\nhello\r\n0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n+5\r\nhello\r\n0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n5\nhello\r\n0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhelloXX0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n5;a\nb\r\nhello\r\n0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n10000000000000005\r\nhello\r\n0\r\n\r\n",
            POST + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n Content-Length: 5\r\n\r\n");

    @Test
    void ambiguous_is400AndTheMarkerIsNeverDispatched() throws IOException {
        var trail = new Trail();
        try (var server = TestServer.serving(routes -> routes.get("/marker", _ -> {
                    trail.add("marker");
                    return Response.ok().text("marker");
                })
                .post("/take", exchange -> {
                    trail.add("body " + exchange.body().text());
                    return Response.ok().text("taken");
                }))) {
            assertThat(AMBIGUOUS).hasSizeGreaterThanOrEqualTo(30);
            for (String request : AMBIGUOUS) {
                try (var client = server.connect()) {
                    var answer = client.send(request + MARKER).read();
                    assertThat(answer.status()).as(request).isEqualTo(400);
                    assertThat(answer.closes()).as(request).isTrue();
                    assertThat(answer.text())
                            .as(request)
                            .matches("400 [A-Za-z0-9 ,./-]+\n")
                            .isNotEqualTo("400 Bad Request\n");
                    client.fin();
                    assertThat(client.isEnded()).as(request).isTrue();
                }
            }
            assertThat(trail.events()).isEmpty();
            try (var client = server.connect()) {
                client.send(POST + "Content-Length: 5\r\n\r\nhello" + MARKER);
                assertThat(client.read().text()).isEqualTo("taken");
                assertThat(client.read().text()).isEqualTo("marker");
            }
        }
        trail.mustBe("body hello", "marker");
    }
}
