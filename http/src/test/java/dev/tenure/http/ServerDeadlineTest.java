package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The clocks of design 5 through real sockets, on a clock that stands still.
@ExtendWith(LeakCheck.class)
class ServerDeadlineTest {
    private final FakeClock clock = new FakeClock();
    private final Trail trail = new Trail();

    private TestServer server(boolean nativeTransport) {
        return TestServer.of(
                clock,
                builder -> builder.nativeTransport(nativeTransport)
                        .routes(routes -> routes.get("/", _ -> Response.ok().text("x"))
                                .get("/sleep", this::sleep)
                                .post("/read", exchange -> {
                                    trail.add("reading");
                                    try {
                                        return Response.ok()
                                                .text(exchange.body().text());
                                    } finally {
                                        trail.add("read over: "
                                                + exchange.cancellation()
                                                        .reason()
                                                        .map(Reason::kind));
                                    }
                                })
                                .get(
                                        "/events",
                                        _ -> Response.ok().events(events -> {
                                            events.send("hello", "1");
                                            new CountDownLatch(1).await();
                                        }))));
    }

    private Response sleep(Exchange exchange) throws InterruptedException {
        trail.add("sleeping " + exchange.deadline().remaining());
        try {
            new CountDownLatch(1).await();
            return Response.ok().text("never");
        } finally {
            trail.add("told " + exchange.cancellation().reason().map(Reason::kind));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void header_notWithin10s_is408(boolean nativeTransport) throws Exception {
        try (var server = server(nativeTransport);
                var client = server.connect()) {
            client.send(request("GET", "/") + "GET / HTT");
            assertThat(client.read().status()).isEqualTo(200);
            server.await("completed", 1);
            server.advance(Duration.ofSeconds(10));
            var answer = client.read();
            assertThat(answer.status()).isEqualTo(408);
            assertThat(answer.text()).isEqualTo("408 the head took longer than 10 s\n");
            assertThat(answer.closes()).isTrue();
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void keepAlive_idleFor75s_isClosed() throws Exception {
        try (var server = server(true);
                var client = server.connect()) {
            client.get("/");
            server.await("completed", 1);
            server.advance(Duration.ofMillis(74_999));
            assertThat(client.get("/").status()).isEqualTo(200);
            server.await("completed", 2);
            server.advance(Duration.ofSeconds(75));
            assertThat(client.isEnded()).isTrue();
        }
    }

    @Test
    void exchange_notWithin60s_is504AndTheHandlerIsTold() throws Exception {
        try (var server = server(true);
                var client = server.connect()) {
            client.send(request("GET", "/sleep"));
            trail.await("sleeping PT1M");
            server.advance(Duration.ofSeconds(60));
            var answer = client.read();
            assertThat(answer.status()).isEqualTo(504);
            assertThat(answer.text()).isEqualTo("504 the answer took longer than 60 s\n");
            assertThat(answer.closes()).isTrue();
            trail.await("told Optional[DEADLINE]");
            assertThat(client.isEnded()).isTrue();
        }
    }

    private String deadlines(Exchange exchange) {
        try (var nested = Scope.open("nested")) {
            return "%s %s %s"
                    .formatted(
                            exchange.deadline(),
                            exchange.scope().deadline(),
                            nested.fork("task", () -> Scope.current().deadline().toString())
                                    .join());
        }
    }

    /// It is lifted from what the producer opens when the answer begins to stream.
    @Test
    void exchange_deadline_isThatOfAllItsHandlerOpens_untilItStreams() throws Exception {
        String told = "in 60000 ms in 60000 ms Success[value=in 60000 ms, cancelledLate=false]";
        String lifted = "no deadline no deadline Success[value=no deadline, cancelledLate=false]";
        try (var server = TestServer.of(
                        clock,
                        builder -> builder.routes(routes -> routes.get(
                                        "/whole", exchange -> Response.ok().text(deadlines(exchange)))
                                .get("/stream", exchange -> {
                                    trail.add(deadlines(exchange));
                                    return Response.ok().stream(out -> trail.add(deadlines(exchange)));
                                })
                                .get("/events", exchange -> {
                                    trail.add(deadlines(exchange));
                                    return Response.ok().events(events -> trail.add(deadlines(exchange)));
                                })));
                var client = server.connect()) {
            assertThat(client.get("/whole").text()).isEqualTo(told);
            client.get("/stream");
            client.get("/events");
            trail.mustBe(told, lifted, told, lifted);
        }
    }

    @Test
    void exchange_ofARouteWithADeadline_hasThatOne() throws Exception {
        try (var server = TestServer.of(
                        clock,
                        builder -> builder.routes(routes -> routes.post(
                                        "/long", RouteOptions.defaults().deadline(Duration.ofMinutes(15)), this::sleep)
                                .get("/short", RouteOptions.defaults().deadline(Duration.ofSeconds(5)), this::sleep)
                                .get("/alive", _ -> Response.ok().text("alive"))));
                var longer = server.connect()) {
            longer.send(request("POST", "/long", "Content-Length: 0"));
            trail.await("sleeping PT15M");
            server.advance(Duration.ofMinutes(15).minusSeconds(5).minusMillis(1));
            try (var shorter = server.connect().send(request("GET", "/short"))) {
                trail.await("sleeping PT5S");
                server.advance(Duration.ofSeconds(5).minusNanos(1));
                alive(server);
                assertThat(trail.count("told Optional[DEADLINE]")).isZero();
                server.advance(Duration.ofNanos(1));
                assertThat(shorter.read().status()).isEqualTo(504);
                trail.await("told Optional[DEADLINE]");
            }
            alive(server);
            server.advance(Duration.ofMillis(1));
            assertThat(longer.read().status()).isEqualTo(504);
            trail.await("told Optional[DEADLINE]", 2);
        }
    }

    private static void alive(TestServer server) throws IOException {
        try (var other = server.connect()) {
            assertThat(other.get("/alive").text()).isEqualTo("alive");
        }
    }

    /// 480 KiB taken set the clock back; nothing taken for 30 s ends it.
    @Test
    void stream_whoseClientTakesSome_livesOn_andEndsOnceItTakesNothing() throws Exception {
        var written = new AtomicLong();
        try (var server = TestServer.of(
                        clock,
                        builder -> builder.routes(routes -> routes.get(
                                "/stream",
                                _ -> Response.ok().stream(out -> {
                                    try {
                                        while (true) {
                                            out.write(new byte[10_000]);
                                            written.addAndGet(10_000);
                                        }
                                    } finally {
                                        trail.add("ended");
                                    }
                                }))));
                var client = new RawClient(server.server().port(), 8_192)) {
            client.send(request("GET", "/stream")).head();
            for (int i = 0; i < 3; i++) {
                long full = settled(written);
                server.advance(Duration.ofSeconds(29));
                while (written.get() < full + 2_000_000) {
                    client.chunk();
                }
                settled(written);
            }
            server.advance(Duration.ofSeconds(29));
            assertThat(trail.events()).isEmpty();
            server.advance(Duration.ofSeconds(1));
            trail.await("ended");
        }
    }

    /// The count once it does not move any more: the producer is blocked.
    private static long settled(AtomicLong written) {
        long last = -1;
        for (int same = 0; same < 20; ) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            long now = written.get();
            same = now == last && now > 0 ? same + 1 : 0;
            last = now;
        }
        return last;
    }

    @Test
    void body_notWithin30s_is408AndTheReaderIsTold() throws Exception {
        try (var server = server(true);
                var client = server.connect()) {
            client.send(request("POST", "/read", "Content-Length: 10") + "abc");
            trail.await("reading");
            server.advance(Duration.ofSeconds(30));
            assertThat(client.read().text()).isEqualTo("408 no byte of the body came for 30 s\n");
            trail.await("read over: Optional[DEADLINE]");
        }
    }

    @Test
    void events_outliveTheExchangesDeadline_withHeartbeats_andEndWithADrainingEvent() throws Exception {
        try (var server = server(true);
                var client = server.connect()) {
            client.send(request("GET", "/events"));
            assertThat(client.head()).contains("text/event-stream");
            assertThat(client.chunk()).asString().isEqualTo("event: hello\ndata: 1\n\n");
            for (int i = 0; i < 8; i++) {
                server.advance(Duration.ofSeconds(15));
                assertThat(client.chunk()).asString().isEqualTo(":\n\n");
            }
            var stop = server.host().stopAsync().toCompletableFuture();
            assertThat(client.chunk()).asString().isEqualTo("event: draining\ndata: {}\n\n");
            assertThat(client.chunk()).isEmpty();
            assertThat(client.isEnded()).isTrue();
            assertThat(stop.get().exitCode()).isZero();
            assertThat(server.count("completed")).isOne();
        }
    }
}
