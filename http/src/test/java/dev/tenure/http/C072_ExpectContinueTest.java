package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A client that waits for 100 and is refused: the final status at once, the connection announced as ending, and what
/// the client sends next taken neither for the body nor for a request.
@ExtendWith(LeakCheck.class)
class C072_ExpectContinueTest {
    /// Far below every deadline: nothing was waited for.
    private static final Duration AT_ONCE = Duration.ofMillis(500);

    private final Trail trail = new Trail();
    private final ResourceType<String> lease = ResourceType.of("lease", _ -> trail.add("lease released"));

    private TestServer server() {
        return TestServer.serving(routes -> routes.post("/unauthorized", _ -> {
                    Scope.current().own(lease, "lease");
                    return Response.status(401).text("no");
                })
                .post("/nothing-here", _ -> {
                    Scope.current().own(lease, "lease");
                    return Response.status(404).text("nothing");
                })
                .post("/too-large", _ -> {
                    Scope.current().own(lease, "lease");
                    throw new HttpStatusException(413, "not so much");
                })
                .post(
                        "/read",
                        exchange -> Response.ok().text("got " + exchange.body().bytes().length))
                .post(
                        "/late",
                        exchange -> Response.ok().stream(out -> {
                            out.write(new byte[] {'a'});
                            out.flush();
                            try {
                                trail.add("read " + exchange.body().stream().read());
                            } catch (IOException refused) {
                                trail.add("refused: " + refused.getMessage());
                            }
                            out.write(new byte[] {'b'});
                        }))
                .get("/next", _ -> {
                    trail.add("next");
                    return Response.ok().text("next");
                }));
    }

    @ParameterizedTest
    @CsvSource({
        "/missing, 1000000, 404, false",
        "/nothing-here, 1000000, 404, true",
        "/unauthorized, 1000000, 401, true",
        "/unauthorized, 3, 401, true",
        "/too-large, 1000000, 413, true",
        "/read, 2000000, 413, false"
    })
    void refused_withoutReading_isFinalAtOnce(String path, int length, int status, boolean leased) throws IOException {
        try (var server = server();
                var client = server.connect()) {
            client.get("/next");
            trail.await("next");
            long sent = System.nanoTime();
            client.send(request("POST", path, "Expect: 100-continue", "Content-Length: " + length));
            var answer = client.read();
            assertThat(answer.status()).as("no interim answer").isEqualTo(status);
            server.await("completed", leased ? 2 : 1);
            assertThat(trail.count("lease released")).isEqualTo(leased ? 1 : 0);
            assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(AT_ONCE);
            assertThat(answer.closes()).isTrue();
            client.send(request("GET", "/next"));
            assertThat(client.readByte()).as("nothing more is answered").isEqualTo(-1);
        }
        assertThat(trail.count("next")).isOne();
    }

    @Test
    void wanted_bodyIsAskedForOnce() throws IOException {
        try (var server = server();
                var client = server.connect()) {
            client.send(request("POST", "/read", "Expect: 100-continue", "Content-Length: 3"));
            assertThat(client.head()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            client.send("abc");
            assertThat(client.read().text()).isEqualTo("got 3");
            assertThat(client.get("/next").text()).isEqualTo("next");
        }
    }

    /// What comes before the final answer is the body, by its length; but a client that is answered without 100 may
    /// mean its next request by it.
    @Test
    void sentUnasked_andNotRead_endsTheConnection() throws IOException {
        try (var server = server();
                var client = server.connect()) {
            String first = request("GET", "/next", "Expect: 100-continue", "Content-Length: 3");
            var answer = client.send(first + request("GET", "/next")).read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.closes()).isTrue();
            assertThat(client.isEnded()).as("nothing more is answered").isTrue();
        }
        assertThat(trail.count("next")).isOne();
    }

    @Test
    void notAsked_andAnsweredWithoutReading_endsTheConnection() throws IOException {
        try (var server = server();
                var client = server.connect()) {
            var answer = client.get("/next", "Expect: 100-continue", "Content-Length: 3");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.closes()).isTrue();
            client.send(request("GET", "/next"));
            assertThat(client.isEnded()).as("nothing more is answered").isTrue();
        }
        assertThat(trail.count("next")).isOne();
    }

    @Test
    void sentUnasked_andRead_keepsTheConnection() throws IOException {
        try (var server = server();
                var client = server.connect()) {
            client.send(request("POST", "/read", "Expect: 100-continue", "Content-Length: 3") + "abc");
            var answer = client.read();
            if (answer.status() == 100) {
                answer = client.read();
            }
            assertThat(answer.text()).isEqualTo("got 3");
            assertThat(answer.closes()).isFalse();
            assertThat(client.get("/next").text()).isEqualTo("next");
        }
    }

    @Test
    void read_afterTheAnswerBegan_failsWithoutAnInterimAnswer() throws IOException {
        try (var server = server();
                var client = server.connect()) {
            client.send(request("POST", "/late", "Expect: 100-continue", "Content-Length: 3"));
            var answer = client.read();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.closes()).isTrue();
            assertThat(answer.text()).isEqualTo("ab");
        }
        trail.mustBe("refused: the body was not asked for before the answer began, so it never comes");
    }
}
