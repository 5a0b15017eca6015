package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class HandlerTest {
    private final Trail trail = new Trail();
    private final ResourceType<String> resource = ResourceType.of("resource", name -> trail.add("release " + name));
    private final ResourceType<SeekableByteChannel> file = ResourceType.of("file", SeekableByteChannel::close);

    private static final class UserFault extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    // ---- failures ----

    @Test
    void failure_of_aHandler_is500WithAnIdAndNoInternals() throws IOException {
        try (var server = TestServer.serving(routes -> routes.get("/", exchange -> {
                    throw new IllegalStateException("secret of " + exchange.route());
                }));
                var client = server.connect()) {
            var answer = client.get("/");
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.text())
                    .startsWith("500 Internal Server Error\nid: ")
                    .doesNotContain("secret", "Illegal");
            String id =
                    answer.text().substring(answer.text().indexOf("id: ") + 4).strip();
            assertThat(server.failures()).singleElement().satisfies(told -> {
                assertThat(told).hasMessageContaining("GET /").hasMessageContaining(id);
                assertThat(told.getCause()).hasMessageContaining("secret");
            });
            assertThat(client.get("/").status()).as("the connection is kept").isEqualTo(500);
        }
    }

    @Test
    void exceptions_haveTheirStatuses() throws IOException {
        try (var server = TestServer.of(builder -> builder.mapping(IOException.class, 502)
                        .mapping(FileNotFoundException.class, 410)
                        .mapping(UserFault.class, 409)
                        .routes(routes -> routes.get("/status", _ -> {
                                    throw new HttpStatusException(422, "not a picture");
                                })
                                .get("/io", _ -> {
                                    throw new IOException("secret");
                                })
                                .get("/missing", _ -> {
                                    throw new FileNotFoundException("secret");
                                })
                                .get("/user", _ -> {
                                    throw new UserFault();
                                })
                                .get("/error", _ -> {
                                    throw new StackOverflowError("secret");
                                })));
                var client = server.connect()) {
            assertThat(client.get("/status").text()).isEqualTo("422 not a picture\n");
            assertThat(client.get("/io").text()).isEqualTo("502 Bad Gateway\n");
            assertThat(client.get("/missing").text()).isEqualTo("410 Gone\n");
            assertThat(client.get("/user").text()).isEqualTo("409 Conflict\n");
            assertThat(client.get("/error").status()).isEqualTo(500);
        }
    }

    @Test
    void mapping_answersWithTextOrJson_andTellsTheObserverOfServerFaultsAlone() throws IOException {
        try (var server = TestServer.of(builder -> builder.mapping(
                                UserFault.class,
                                fault -> Response.status(409).text("twice: " + fault.getMessage() + "\n"))
                        .mapping(
                                UncheckedIOException.class,
                                failure -> Response.status(503)
                                        .header("Retry-After", "7")
                                        .text("not now\n"))
                        .mapping(
                                HttpStatusException.class,
                                known -> Response.status(known.status())
                                        .type("text/html")
                                        .text("<p>" + known.detail()))
                        .mapping(ArithmeticException.class, failure -> {
                            throw new IllegalStateException("no answer");
                        })
                        .routes(routes -> routes.get("/user", _ -> {
                                    throw new UserFault();
                                })
                                .get("/io", _ -> {
                                    throw new UncheckedIOException(new IOException("secret"));
                                })
                                .get("/known", _ -> {
                                    throw new HttpStatusException(404, "nothing");
                                })
                                .get("/broken", _ -> {
                                    throw new ArithmeticException("the first");
                                })));
                var client = server.connect()) {
            assertThat(client.get("/user").text()).isEqualTo("twice: null\n");
            assertThat(client.get("/known").text()).isEqualTo("<p>nothing");
            assertThat(server.failures()).isEmpty();
            var unavailable = client.get("/io");
            assertThat(unavailable.status()).isEqualTo(503);
            assertThat(unavailable.field("Retry-After")).isEqualTo("7");
            assertThat(server.failures())
                    .singleElement()
                    .satisfies(told -> assertThat(told)
                            .hasMessageStartingWith("answer 503 of GET /io")
                            .hasRootCauseMessage("secret"));
            assertThat(client.get("/broken").status()).isEqualTo(500);
            assertThat(server.failures())
                    .extracting(Throwable::getCause)
                    .extracting(Throwable::getMessage)
                    .endsWith("the first", "no answer");
            assertThat(server.failures().getLast()).hasMessageContaining("mapping of GET /broken");
        }
    }

    @Test
    void options_areTakenByEachMethod_andQueriesAndPeerAreTold() throws IOException {
        Handler show = exchange -> Response.ok()
                .text(exchange.queries("a") + " " + exchange.queries("b") + " " + exchange.query("a") + " "
                        + exchange.peer().orElseThrow());
        var options = RouteOptions.defaults().bodyBytesMax(3);
        try (var server = TestServer.serving(routes -> routes.get("/", options, show)
                        .post("/", options, show)
                        .put("/", options, show)
                        .patch("/", options, show)
                        .delete("/", options, show)
                        .head("/head", options, show));
                var client = server.connect()) {
            assertThat(client.get("/?a=1&b&c=3&a=x%26y&a=").text())
                    .isEqualTo("[1, x&y, ] [] Optional[1] " + client.address());
            assertThat(client.get("/").text()).startsWith("[] [] Optional.empty ");
            assertThat(client.send(request("HEAD", "/head")).readHeadOnly().status())
                    .isEqualTo(200);
            for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
                try (var other = server.connect()) {
                    other.send(request(method, "/", "Content-Length: 4") + "1234");
                    assertThat(other.read().status()).as(method).isEqualTo(413);
                }
            }
        }
    }

    @Test
    void names_tellTwoServersOfOneHostApart() throws IOException {
        RouteSource routes = source -> source.get("/", _ -> {
            throw new HttpStatusException(503, "no");
        });
        try (var server = TestServer.of(builder -> builder.named("public").routes(routes))) {
            server.host().own(HttpServer.on(0).named("admin").routes(routes));
            try (var client = server.connect()) {
                client.get("/");
            }
            assertThat(server.server().name()).isEqualTo("public");
            assertThat(server.server())
                    .hasToString("public on port " + server.server().port());
            assertThat(server.stop().toText()).contains("public: ", "admin: ");
        }
    }

    @Test
    void producer_thatThrows_breaksTheAnswerOff() throws IOException {
        try (var server = TestServer.serving(routes -> routes.get(
                        "/",
                        _ -> Response.ok().stream(out -> {
                            out.write("half".getBytes(UTF_8));
                            out.flush();
                            throw new IllegalStateException("disk");
                        })));
                var client = server.connect()) {
            client.send(request("GET", "/")).head();
            assertThat(client.chunk()).asString().isEqualTo("half");
            assertThat(client.isEnded()).isTrue();
            assertThat(server.failures()).isNotEmpty();
        }
    }

    // ---- ownership ----

    @Test
    void scope_endsBeforeAWholeAnswer_andAfterAStream() throws IOException {
        try (var server = TestServer.serving(routes -> routes.get("/whole", _ -> {
                            Scope.current().own(resource, "whole");
                            return Response.ok().text("x");
                        })
                        .get("/stream", _ -> {
                            Scope.current().own(resource, "stream");
                            return Response.ok().stream(out -> {
                                trail.add("produce");
                                out.write(new byte[10]);
                            });
                        }));
                var client = server.connect()) {
            client.get("/whole");
            trail.mustBe("release whole");
            client.get("/stream");
            client.get("/whole");
            trail.mustBe("release whole", "produce", "release stream", "release whole");
        }
    }

    @Test
    void activity_endsAfterTheAnswer_beforeTheExchangeCounts() throws Exception {
        var background = new AtomicReference<Runnable>();
        try (var server = TestServer.serving(routes -> routes.get("/", exchange -> {
                    background.set(exchange.activity().background("mail"));
                    exchange.activity().cleanup("first", () -> trail.add("first"));
                    exchange.activity().cleanup("second", () -> trail.add("second"));
                    return Response.ok().text("answered");
                }));
                var client = server.connect()) {
            assertThat(client.get("/").text()).isEqualTo("answered");
            assertThat(trail.events()).isEmpty();
            assertThat(server.count("completed")).isZero();
            background.get().run();
            assertThat(client.get("/").text()).isEqualTo("answered");
            trail.mustBe("first", "second");
            assertThat(server.count("completed")).isOne();
            background.get().run();
        }
    }

    @Test
    void head_neverRunsTheProducer() throws IOException {
        try (var server = TestServer.serving(routes -> routes.get(
                                "/", _ -> Response.ok().stream(_ -> trail.add("produced")))
                        .get("/events", _ -> Response.ok().events(_ -> trail.add("produced"))));
                var client = server.connect()) {
            assertThat(client.send(request("HEAD", "/")).readHeadOnly().status())
                    .isEqualTo(200);
            assertThat(client.send(request("HEAD", "/events")).readHeadOnly().status())
                    .isEqualTo(200);
            assertThat(trail.events()).isEmpty();
        }
    }

    @Test
    void file_isSentAndClosed(@TempDir Path directory) throws IOException {
        Path big = directory.resolve("big");
        Files.write(big, new byte[300_000]);
        try (var server = TestServer.serving(routes -> routes.get(
                        "/",
                        _ -> Response.ok()
                                .etag("v1")
                                .file(Scope.current().acquire(file, () -> FileChannel.open(big)))));
                var client = server.connect()) {
            assertThat(client.get("/").body()).hasSize(300_000);
            assertThat(client.get("/", "Range: bytes=10-19").body()).hasSize(10);
            assertThat(client.get("/", "If-None-Match: \"v1\"").status()).isEqualTo(304);
        }
    }

    // ---- the body ----

    @Test
    void body_readAfterItsExchange_isRefused() throws IOException {
        var kept = new AtomicReference<RequestBody>();
        try (var server = TestServer.serving(routes -> routes.post("/", exchange -> {
                    kept.set(exchange.body());
                    return Response.ok().text("x");
                }));
                var client = server.connect()) {
            client.send(request("POST", "/", "Content-Length: 3") + "abc");
            assertThat(client.read().status()).isEqualTo(200);
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> kept.get().bytes())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("POST /")
                    .hasMessageContaining("after its exchange");
        }
    }

    private int readOrRefused(Exchange exchange) throws IOException {
        try {
            return exchange.body().stream().read();
        } catch (IllegalStateException refused) {
            trail.add("refused");
            return 0;
        }
    }

    @Test
    void body_readByTwoAtOnce_isRefusedToTheSecond() throws Exception {
        try (var server = TestServer.serving(routes -> routes.post("/", exchange -> {
                    var second = exchange.scope().fork("second", () -> readOrRefused(exchange));
                    return Response.ok().text("read " + (readOrRefused(exchange) + second.get()));
                }));
                var client = server.connect()) {
            client.send(request("POST", "/", "Content-Length: 1"));
            trail.await("refused");
            client.send("a");
            assertThat(client.read().text()).isEqualTo("read 97");
        }
    }

    @Test
    void body_chunkedBeyondTheRoutesLimit_is413() throws IOException {
        try (var server = TestServer.serving(routes -> routes.route(
                        Method.POST,
                        "/",
                        RouteOptions.defaults().bodyBytesMax(10),
                        exchange -> Response.ok().text("got " + exchange.body().bytes().length)));
                var client = server.connect();
                var other = server.connect()) {
            client.send(request("POST", "/", "Transfer-Encoding: chunked") + "5\r\nhello\r\n5\r\nhello\r\n0\r\n\r\n");
            assertThat(client.read().text()).isEqualTo("got 10");
            client.send(request("POST", "/", "Transfer-Encoding: chunked") + "b\r\nhello world\r\n0\r\n\r\n");
            var refused = client.read();
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.text()).isEqualTo("413 the body has more than 10 bytes\n");
            assertThat(refused.closes()).as("it was whole after all").isFalse();
            assertThat(other.send(request("POST", "/", "Content-Length: 11"))
                            .read()
                            .status())
                    .isEqualTo(413);
        }
    }

    @Test
    void answer_beforeALargeBody_arrivesWhole() throws Exception {
        try (var server = TestServer.of(builder -> builder.limits(
                                HttpLimits.defaults().withBodyBytesMax(100_000_000))
                        .routes(routes ->
                                routes.post("/", _ -> Response.status(403).text("no"))));
                var client = server.connect();
                var sender = Executors.newSingleThreadExecutor()) {
            client.send(request("POST", "/", "Content-Length: 20000000"));
            var sent = sender.submit(() -> {
                try {
                    client.send(new byte[20_000_000]);
                } catch (IOException e) {
                    trail.add("the server took no more");
                }
            });
            var answer = client.read();
            assertThat(answer.text()).isEqualTo("no");
            assertThat(answer.closes()).isTrue();
            sent.get();
        }
    }

    // ---- routes, health, admission ----

    @Test
    void unknownPathsAndMethods_areTold() throws IOException {
        try (var server = TestServer.serving(
                        routes -> routes.get("/a", _ -> Response.ok().text("x"))
                                .post("/a", _ -> Response.ok().text("x")));
                var client = server.connect()) {
            assertThat(client.get("/b").status()).isEqualTo(404);
            var other = client.send(request("DELETE", "/a")).read();
            assertThat(other.status()).isEqualTo(405);
            assertThat(other.field("allow")).isEqualTo("GET, HEAD, POST");
            assertThat(client.send(request("BREW", "/a")).read().status()).isEqualTo(501);
        }
    }

    @Test
    void health_isToldEvenBesideACatchAll() throws IOException {
        try (var server = TestServer.serving(
                        routes -> routes.get("/{path...}", _ -> Response.ok().text("any")));
                var client = server.connect()) {
            assertThat(client.get("/health/live").text()).isEqualTo("ok\n");
            assertThat(client.get("/health/ready").status()).isEqualTo(200);
            assertThat(client.get("/health/other").text()).isEqualTo("any");
        }
        try (var server = TestServer.of(builder -> builder.health(false)
                        .routes(routes -> routes.get("/", _ -> Response.ok().text("x"))));
                var client = server.connect()) {
            assertThat(client.get("/health/live").status()).isEqualTo(404);
        }
    }

    @Test
    void exchanges_beyondTheLimit_are503() throws Exception {
        var go = new CountDownLatch(1);
        try (var server = TestServer.of(builder -> builder.limits(
                                HttpLimits.defaults().withAdmission(10, 1))
                        .routes(routes -> routes.get("/", _ -> {
                            trail.add("in");
                            go.await();
                            return Response.ok().text("x");
                        })));
                var first = server.connect();
                var second = server.connect()) {
            first.send(request("GET", "/"));
            trail.await("in");
            var refused = second.get("/");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.text()).isEqualTo("503 as many requests are under way as may be\n");
            assertThat(refused.field("retry-after")).isEqualTo("1");
            assertThat(second.get("/health/live").status()).isEqualTo(200);
            go.countDown();
            assertThat(first.read().status()).isEqualTo(200);
            assertThat(first.get("/health/live").status())
                    .as("its slot is free by now")
                    .isEqualTo(200);
            assertThat(second.get("/").status()).isEqualTo(200);
        }
    }

    @Test
    @SuppressWarnings("try") // the early close is the subject
    void connections_beyondTheLimit_waitUntilOneEnds() throws Exception {
        try (var server =
                TestServer.of(builder -> builder.limits(HttpLimits.defaults().withAdmission(1, 10))
                        .routes(routes -> routes.get("/", _ -> Response.ok().text("x"))))) {
            try (var first = server.connect()) {
                first.get("/");
                try (var second = server.connect()) {
                    second.send(request("GET", "/"));
                    first.get("/");
                    first.close();
                    assertThat(second.read().status()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void pipelined_areAnsweredInOrder() throws IOException {
        try (var server = TestServer.serving(
                        routes -> routes.get("/{n}", exchange -> Response.ok().text(exchange.path("n"))));
                var client = server.connect()) {
            var all = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                all.append(request("GET", "/" + i));
            }
            client.send(all.toString());
            for (int i = 0; i < 200; i++) {
                assertThat(client.read().text()).isEqualTo(Integer.toString(i));
            }
        }
    }
}
