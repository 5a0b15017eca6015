package dev.tenure.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.host.Activity;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.DeploymentPolicy;
import dev.tenure.host.Host;
import dev.tenure.host.Reopenable;
import dev.tenure.http.Handler;
import dev.tenure.http.HttpCalls;
import dev.tenure.http.HttpCallsBuilder;
import dev.tenure.http.HttpStatusException;
import dev.tenure.http.Response;
import dev.tenure.http.RouteOptions;
import dev.tenure.http.RouteSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

class HttpFunctionTest {
    private static final int MINUTE = 60_000;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final Host host = Host.named("test")
            .policy(DeploymentPolicy.REQUEST_ISOLATED)
            .signals(false)
            .observer(new Observer() {
                @Override
                public void failed(String owner, Throwable failure) {
                    told.add(owner + ": " + failure);
                }
            })
            .start();

    @AfterEach
    void stop() {
        host.close();
    }

    /// An answer as the platform reads it.
    record Read(int status, Map<String, String> headers, List<String> cookies, boolean base64, String body) {}

    private Read call(RouteSource routes, String event) {
        return call(routes, event, calls -> calls, MINUTE);
    }

    private Read call(RouteSource routes, String event, UnaryOperator<HttpCallsBuilder> with, int millis) {
        var function = HttpFunction.on(host, with.apply(HttpCalls.over(routes)));
        return call(function, event, millis);
    }

    private static Read call(HttpFunction function, String event, int millis) {
        var out = new ByteArrayOutputStream();
        try {
            function.handleRequest(new ByteArrayInputStream(event.getBytes(UTF_8)), out, new FakeContext(millis));
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
        return read(out.toByteArray());
    }

    private static Read read(byte[] json) {
        var headers = new java.util.TreeMap<String, String>();
        var cookies = new ArrayList<String>();
        var scalars = new java.util.HashMap<String, String>();
        try (var parser = new JsonFactory().createParser(ObjectReadContext.empty(), json)) {
            var within = "";
            for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                    within = String.valueOf(parser.currentName());
                } else if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
                    within = "";
                } else if (token.isScalarValue() && within.equals("headers")) {
                    headers.put(parser.currentName(), parser.getString());
                } else if (token.isScalarValue() && within.equals("cookies")) {
                    cookies.add(parser.getString());
                } else if (token.isScalarValue()) {
                    scalars.put(parser.currentName(), parser.getString());
                }
            }
        }
        return new Read(
                Integer.parseInt(scalars.get("statusCode")),
                headers,
                cookies,
                Boolean.parseBoolean(scalars.get("isBase64Encoded")),
                scalars.get("body"));
    }

    private static RouteSource get(String pattern, Handler handler) {
        return routes -> routes.get(pattern, handler);
    }

    // ---- what comes in ----

    @Test
    void handler_seesTheRequestAsFromAServer() {
        var seen = new ArrayList<Object>();
        var event = Events.of("GET", "/a%2Fb/x y", ", \"cookies\": [\"k=1\", \"l=2\"]")
                .replace("\"rawQueryString\": \"\"", "\"rawQueryString\": \"q=1&q=%C3%BC+b&r\"");
        call(
                get("/{first}/{second}", exchange -> {
                    seen.add(exchange.path("first"));
                    seen.add(exchange.path("second"));
                    seen.add(exchange.queries("q"));
                    seen.add(exchange.query("r").orElseThrow());
                    seen.add(exchange.header("Cookie").orElseThrow());
                    seen.add(exchange.headers("accept"));
                    seen.add(exchange.header("host").orElseThrow());
                    seen.add(exchange.contentLength());
                    seen.add(exchange.peer().orElseThrow().getAddress().getHostAddress());
                    seen.add(exchange.route());
                    return Response.ok().empty();
                }),
                event);
        assertThat(seen)
                .containsExactly(
                        "a/b",
                        "x y",
                        List.of("1", "ü b"),
                        "",
                        "k=1; l=2",
                        List.of("a/b,c/d"),
                        "id.lambda-url.example",
                        0L,
                        "192.0.2.7",
                        "GET /{first}/{second}");
    }

    @Test
    void body_comesAsTextOrBase64() {
        RouteSource echo = routes -> routes.post(
                "/echo", exchange -> Response.ok().bytes(exchange.body().bytes()));
        var text = call(echo, Events.text("POST", "/echo", "gr\\u00fc\\u00df"));
        assertThat(Base64.getDecoder().decode(text.body())).isEqualTo("grüß".getBytes(UTF_8));
        var bytes = call(echo, Events.bytes("POST", "/echo", new byte[] {0, -1, 1}));
        assertThat(bytes.base64()).isTrue();
        assertThat(Base64.getDecoder().decode(bytes.body())).containsExactly(0, -1, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "/prod/notes, 200, 'a stage'",
        "/notes, 200, 'a domain of its own'",
        "/prod, 404, 'the stage alone'",
        "/production/notes, 404, 'no prefix'"
    })
    void prefix_isTakenOffWhereItIs(String path, int status, String why) {
        var function = HttpFunction.on(
                        host, HttpCalls.over(get("/notes", _ -> Response.ok().empty())))
                .behind("/prod");
        assertThat(call(function, Events.of("GET", path), MINUTE).status())
                .as(why)
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"/a b?c#d, /a%20b%3Fc%23d", "/100%, /100%25", "/%e4%bd%A0, /%e4%bd%A0", "/ü, /%C3%BC", "/a%2, /a%252"})
    void decodedPath_isEncoded_andAnEncodedOneStays(String path, String target) {
        assertThat(Targets.path(path)).isEqualTo(target);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/../secret", "/%2e%2e/secret", "/a/%252e%252e"})
    void dotSegments_leadNowhere(String path) {
        assertThat(call(get("/secret", _ -> Response.ok().empty()), Events.of("GET", path))
                        .status())
                .isIn(400, 404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | it is not a JSON object",
                "[] | it is not a JSON object",
                "'{\"version\": ' | it is not JSON",
                "{} | version is missing",
                "{\"version\": \"1.0\"} | version is not 2.0",
                "{\"version\": 2} | version is not a string",
                "{\"version\": \"2.0\"} | requestContext.http.method is missing",
                "{\"version\": \"2.0\", \"headers\": []} | headers is not an object",
                "{\"version\": \"2.0\", \"headers\": {\"a\": 1}} | headers.a is not a string",
                "{\"version\": \"2.0\", \"cookies\": \"a\"} | cookies is not an array",
                "{\"version\": \"2.0\", \"isBase64Encoded\": 1} | isBase64Encoded is neither true nor false"
            })
    void malformedEvent_isSaidByItsField(String event, String what) {
        assertThatThrownBy(() -> call(get("/", _ -> Response.ok().empty()), event))
                .isInstanceOf(MalformedEvent.class)
                .hasMessageStartingWith("event: " + what)
                .hasMessageContaining("payload format 2.0");
    }

    @Test
    void eventOfTooManyBytesOrLevels_isSaidByTheLimits() {
        var routes = get("/", _ -> Response.ok().empty());
        var tooLong = Events.text("POST", "/", "a".repeat(8 * 1_048_576));
        var deep = "{\"version\": \"2.0\", \"x\": " + "[".repeat(100) + "]".repeat(100) + "}";
        for (var event : List.of(tooLong, deep)) {
            assertThatThrownBy(() -> call(routes, event))
                    .isInstanceOf(MalformedEvent.class)
                    .hasMessageContaining("event: it has more than 7340032 bytes or 64 levels");
        }
    }

    @Test
    void eventThatCannotBeRead_isSaidWithItsCause() {
        var function =
                HttpFunction.on(host, HttpCalls.over(get("/", _ -> Response.ok().empty())));
        var broken = new InputStream() {
            @Override
            public int read() throws IOException {
                throw new IOException("cut");
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                return read();
            }
        };
        assertThatThrownBy(
                        () -> function.handleRequest(broken, OutputStream.nullOutputStream(), new FakeContext(MINUTE)))
                .hasRootCauseMessage("cut");
    }

    @Test
    void bodyThatIsNoBase64_isMalformed() {
        var event = Events.text("POST", "/", "no base64!").replace("Encoded\": false", "Encoded\": true");
        assertThatThrownBy(() -> call(get("/", _ -> Response.ok().empty()), event))
                .isInstanceOf(MalformedEvent.class)
                .hasMessageContaining("body is not base64");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\r\\nx: y", "\\u0000", "\\u4f60"})
    void fieldThatNoConnectionCouldCarry_is400(String value) {
        var event = Events.of("GET", "/").replace("a/b,c/d", value);
        assertThat(call(get("/", _ -> Response.ok().empty()), event).status()).isEqualTo(400);
    }

    // ---- what goes out ----

    @Test
    void answer_hasStatusFieldsAndCookies() {
        var read = call(
                get(
                        "/",
                        _ -> Response.status(202)
                                .header("Vary", "a")
                                .header("vary", "b")
                                .header("Set-Cookie", "x=1; Path=/")
                                .header("Set-Cookie", "y=2")
                                .text("grüß \"dich\"\n")),
                Events.of("GET", "/"));
        assertThat(read)
                .isEqualTo(new Read(
                        202,
                        Map.of("vary", "a, b", "content-type", "text/plain; charset=utf-8"),
                        List.of("x=1; Path=/", "y=2"),
                        false,
                        "grüß \"dich\"\n"));
    }

    @ParameterizedTest
    @CsvSource({
        "text/html, false",
        "application/json, false",
        "application/problem+json; charset=utf-8, false",
        "image/svg+xml, false",
        "text/plain; charset=iso-8859-1, true",
        "image/jpeg, true",
        "application/octet-stream, true"
    })
    void body_isBase64UnlessItIsText(String type, boolean base64) {
        var read = call(get("/", _ -> Response.ok().type(type).bytes("a".getBytes(UTF_8))), Events.of("GET", "/"));
        assertThat(read.base64()).isEqualTo(base64);
    }

    @Test
    void textThatIsNotUtf8_orIsPacked_isBase64() {
        var wrong = call(get("/", _ -> Response.ok().type("text/html").bytes(new byte[] {-1})), Events.of("GET", "/"));
        assertThat(wrong.base64()).isTrue();
        var packed = call(
                get(
                        "/",
                        _ -> Response.ok()
                                .header("Content-Encoding", "gzip")
                                .type("text/html")
                                .bytes(new byte[] {65})),
                Events.of("GET", "/"));
        assertThat(packed.base64()).isTrue();
    }

    @Test
    void head_hasNoBody() {
        assertThat(call(get("/", _ -> Response.ok().text("body")), Events.of("HEAD", "/"))
                        .body())
                .isEmpty();
    }

    @Test
    void etagThatTheClientHas_is304() {
        var event = Events.of("GET", "/").replace("\"accept\"", "\"if-none-match\": \"\\\"v1\\\"\", \"accept\"");
        assertThat(call(get("/", _ -> Response.ok().etag("v1").text("body")), event)
                        .status())
                .isEqualTo(304);
    }

    @ParameterizedTest
    @CsvSource({"GET, /nowhere, 404", "DELETE, /, 405", "BREW, /, 501", "GET, /%zz/%00, 404"})
    void whatNoRouteAnswers_hasItsStatus(String method, String path, int status) {
        assertThat(call(get("/", _ -> Response.ok().empty()), Events.of(method, path))
                        .status())
                .isEqualTo(status);
    }

    // ---- limits ----

    @Test
    void bodyAboveItsRoutesLimit_is413_andNoHandlerRuns() {
        var ran = new ArrayList<String>();
        RouteSource small = routes -> routes.route(
                dev.tenure.http.Method.POST, "/", RouteOptions.defaults().bodyBytesMax(4), _ -> {
                    ran.add("handler");
                    return Response.ok().empty();
                });
        var read = call(small, Events.text("POST", "/", "12345"));
        assertThat(read.status()).isEqualTo(413);
        assertThat(read.body()).isEqualTo("413 the body has more than 4 bytes\n");
        assertThat(ran).isEmpty();
        assertThat(call(small, Events.text("POST", "/", "1234")).status()).isEqualTo(200);
    }

    @Test
    void answerAboveThePlatformsLimit_is500WithNumbers_andTold() {
        var read = call(get("/big", _ -> Response.ok().bytes(new byte[5 * 1_048_576])), Events.of("GET", "/big"));
        assertThat(read.status()).isEqualTo(500);
        assertThat(read.body()).contains("the answer has 6990", "bytes as an event, and the platform takes 6291456");
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("answer of GET /big: dev.tenure.lambda.AnswerTooLarge: the answer has 6990");
    }

    @Test
    void stream_isGathered_upToTheLimit() {
        byte[] piece = new byte[100_000];
        java.util.Arrays.fill(piece, (byte) 'a');
        var pieces = new int[] {10};
        var routes = get(
                "/",
                _ -> Response.ok().type("text/plain").stream(out -> {
                    for (int i = 0; i < pieces[0]; i++) {
                        out.write(piece);
                    }
                }));
        assertThat(call(routes, Events.of("GET", "/")).body()).hasSize(1_000_000);
        pieces[0] = 1_000;
        var tooMuch = call(routes, Events.of("GET", "/"));
        assertThat(tooMuch.status()).isEqualTo(500);
        assertThat(tooMuch.body()).startsWith("500 the answer has more than 6291456 bytes");
        assertThat(told).anySatisfy(line -> assertThat(line).contains("more than 6291456 bytes"));
    }

    @Test
    void streamThatBreaksOff_is500_notHalfAnAnswer() {
        var read = call(
                get(
                        "/",
                        _ -> Response.ok().stream(out -> {
                            out.write(new byte[100_000]);
                            throw new IllegalStateException("broken");
                        })),
                Events.of("GET", "/"));
        assertThat(read.status()).isEqualTo(500);
        assertThat(read.body()).startsWith("500 Internal Server Error\nid: ");
        assertThat(told).singleElement().asString().contains("broken");
    }

    @Test
    void events_areRefusedInASentence() {
        var read = call(get("/", _ -> Response.ok().events(stream -> stream.send("x"))), Events.of("GET", "/"));
        assertThat(read.status()).isEqualTo(501);
        assertThat(read.body()).contains("events need a connection that stays open");
    }

    // ---- failures ----

    @Test
    void handlerThatFails_is500WithAnId_thatTheObserverIsToldToo() {
        var read = call(
                get("/", _ -> {
                    throw new IllegalStateException("secret");
                }),
                Events.of("GET", "/"));
        assertThat(read.status()).isEqualTo(500);
        assertThat(read.body()).doesNotContain("secret").contains("id: ");
        var id = read.body().substring(read.body().indexOf("id: ") + 4).strip();
        assertThat(told).singleElement().asString().contains("handler of GET /", id, "secret");
    }

    @Test
    void statusAndMappedExceptions_areAnsweredAsByAServer() {
        var known = call(
                get("/", _ -> {
                    throw new HttpStatusException(422, "no");
                }),
                Events.of("GET", "/"));
        assertThat(known.body()).isEqualTo("422 no\n");
        var mapped = call(
                get("/", _ -> {
                    throw new ArithmeticException("0");
                }),
                Events.of("GET", "/"),
                calls -> calls.mapping(ArithmeticException.class, 409),
                MINUTE);
        assertThat(mapped.status()).isEqualTo(409);
    }

    @Test
    void cleanupThatFails_isTold_andTheAnswerStands() {
        var read = call(
                get("/", exchange -> {
                    exchange.activity().cleanup("broken", () -> {
                        throw new IllegalStateException("cleanup");
                    });
                    return Response.ok().text("kept");
                }),
                Events.of("GET", "/"));
        assertThat(read.body()).isEqualTo("kept");
        assertThat(told).singleElement().asString().contains("cleanup");
    }

    // ---- lifetime ----

    @Test
    void activity_hasEnded_andItsBackgroundWork_beforeTheAnswerIsWritten() throws IOException {
        var order = new CopyOnWriteArrayList<String>();
        var routes = get("/", exchange -> {
            assertThat(Activity.current()).isSameAs(exchange.activity());
            var scopeEnded = new CountDownLatch(1);
            exchange.scope().own(() -> {
                order.add("scope");
                scopeEnded.countDown();
            });
            var landed = exchange.activity().background("counting");
            host.threads().startVirtual("counting", () -> {
                awaitUninterruptibly(scopeEnded);
                order.add("background");
                landed.run();
            });
            exchange.activity().cleanup("close", () -> order.add("cleanup"));
            return Response.ok().text("x");
        });
        var out = new OutputStream() {
            @Override
            public void write(int b) {
                throw new AssertionError("written in one piece");
            }

            @Override
            public void write(byte[] bytes, int from, int length) {
                order.add("answer");
            }
        };
        HttpFunction.on(host, HttpCalls.over(routes))
                .handleRequest(
                        new ByteArrayInputStream(Events.utf8(Events.of("GET", "/"))), out, new FakeContext(MINUTE));
        assertThat(order).containsExactly("scope", "background", "cleanup", "answer");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    @Test
    void handler_isCancelledAMarginBeforeTheInvocationEnds_andAnswered504() {
        var released = new ArrayList<String>();
        var routes = get("/", exchange -> {
            exchange.scope().own(() -> released.add("released"));
            new CountDownLatch(1).await();
            return Response.ok().empty();
        });
        var function = HttpFunction.on(host, HttpCalls.over(routes)).withMargin(Duration.ofMillis(100));
        var read = call(function, Events.of("GET", "/"), 250);
        assertThat(read.status()).isEqualTo(504);
        assertThat(released).containsExactly("released");
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void stream_keepsTheInvocationsDeadline() {
        var routes = get(
                "/",
                _ -> Response.ok().stream(out -> {
                    out.write(new byte[100]);
                    new CountDownLatch(1).await();
                }));
        var function = HttpFunction.on(host, HttpCalls.over(routes)).withMargin(Duration.ofMillis(100));
        assertThat(call(function, Events.of("GET", "/"), 250).status()).isEqualTo(504);
    }

    @Test
    void invocationWithoutTime_is504_andNoHandlerRuns() {
        var ran = new ArrayList<String>();
        var routes = get("/", _ -> {
            ran.add("handler");
            return Response.ok().empty();
        });
        assertThat(call(routes, Events.of("GET", "/"), calls -> calls, 500).status())
                .isEqualTo(504);
        assertThat(ran).isEmpty();
    }

    @Test
    void deadline_isTheInvocationsOrTheRoutes_whicheverIsEarlier() {
        var seen = new ArrayList<Duration>();
        RouteSource routes =
                all -> all.get("/mine", RouteOptions.defaults().deadline(Duration.ofSeconds(2)), exchange -> {
                            seen.add(exchange.deadline().remaining());
                            return Response.ok().empty();
                        })
                        .get("/its", exchange -> {
                            seen.add(exchange.deadline().remaining());
                            return Response.ok().empty();
                        });
        call(routes, Events.of("GET", "/mine"), calls -> calls, 30_000);
        call(routes, Events.of("GET", "/its"), calls -> calls, 30_500);
        assertThat(seen.get(0)).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThat(seen.get(1)).isBetween(Duration.ofSeconds(25), Duration.ofSeconds(30));
    }

    @Test
    void hostThatStops_answers503() {
        host.close();
        assertThat(call(get("/", _ -> Response.ok().empty()), Events.of("GET", "/"))
                        .status())
                .isEqualTo(503);
    }

    @Test
    void sharedResource_opensOnceAnInvocation_andHasClosedBeforeTheAnswerIsWritten() {
        var trail = new CopyOnWriteArrayList<String>();
        var shared = Reopenable.of(
                host,
                "shared",
                () -> {
                    trail.add("open");
                    return "value";
                },
                _ -> trail.add("close"));
        var routes = get("/", exchange -> {
            exchange.scope().own(() -> trail.add("scope " + shared.isOpen()));
            return Response.ok().text(shared.get() + shared.get());
        });
        for (int i = 0; i < 3; i++) {
            trail.clear();
            assertThat(call(routes, Events.of("GET", "/")).body()).isEqualTo("valuevalue");
            assertThat(trail).containsExactly("open", "scope true", "close");
        }
    }

    @Test
    void invocationDuringAnother_is500_andTheObserverIsToldWhy() {
        var inner = new ArrayList<Integer>();
        var quiet = get("/", _ -> Response.ok().empty());
        var read = call(
                get("/", _ -> {
                    inner.add(call(quiet, Events.of("GET", "/")).status());
                    return Response.ok().empty();
                }),
                Events.of("GET", "/"));
        assertThat(read.status()).isEqualTo(200);
        assertThat(inner).containsExactly(500);
        assertThat(told).singleElement().asString().contains("'GET /' was refused: 'GET /' has not ended");
    }

    @Test
    void sameRoutes_onAPersistentHost_openOnceInAll_andCloseAtItsStop() {
        var trail = new CopyOnWriteArrayList<String>();
        try (var persistent = Host.named("persistent").signals(false).start()) {
            var shared = Reopenable.of(persistent, "shared", () -> "value", _ -> trail.add("close"));
            var calls = HttpCalls.over(get("/", _ -> {
                        trail.add(shared.isOpen() ? "again" : "first");
                        return Response.ok().text(shared.get());
                    }))
                    .open(persistent);
            var head = new HttpCalls.Head("GET", "/", List.of(), Optional.empty());
            for (int i = 0; i < 3; i++) {
                assertThat(calls.answer(head, new byte[0], Deadline.none()).status())
                        .isEqualTo(200);
            }
        }
        assertThat(trail).containsExactly("first", "again", "again", "close");
    }

    // ---- configuration ----

    @Test
    void persistentHost_isRefused_sinceItWouldHoldThingsAcrossTheAnswer() {
        try (var persistent = Host.named("persistent").signals(false).start()) {
            var routes = HttpCalls.over(get("/", _ -> Response.ok().empty()));
            assertThatThrownBy(() -> HttpFunction.on(persistent, routes))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessage(
                            "policy of host 'persistent': PERSISTENT (expected: REQUEST_ISOLATED, since the platform "
                                    + "freezes the process once it has an answer)");
        }
    }

    @Test
    void badConfiguration_isSaidBeforeAnyInvocation() {
        var routes = HttpCalls.over(get("/", _ -> Response.ok().empty()));
        var function = HttpFunction.on(host, routes);
        assertThatThrownBy(() -> function.withMargin(Duration.ofMillis(-1)))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("function margin: PT-0.001S (expected: 0 to PT1M)");
        assertThatThrownBy(() -> function.behind("prod"))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("function prefix: 'prod'");
        assertThatThrownBy(() -> HttpFunction.on(
                        host, HttpCalls.over(get("/{", _ -> Response.ok().empty()))))
                .isInstanceOf(ConfigurationError.class);
        assertThatThrownBy(() -> HttpCalls.over().mapping(IOException.class, 200))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("400 to 599");
    }
}
