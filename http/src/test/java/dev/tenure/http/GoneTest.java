package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Reason;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A client goes while its handler sleeps: the handler is told, its finalizers run once, everything comes back.
@ExtendWith(LeakCheck.class)
class GoneTest {
    private static final int WARM = 10;
    private static final int ROUNDS = 50;
    private static final long MEDIAN_NANOS_MAX = Duration.ofMillis(20).toNanos();

    private final Trail trail = new Trail();
    private final BlockingQueue<Long> told = new LinkedBlockingQueue<>();
    private final ResourceType<String> resource = ResourceType.of("resource", _ -> trail.add("finalizer"));

    private Response sleep(Exchange exchange) throws InterruptedException {
        Scope.current().own(resource, "resource");
        trail.add("sleeping");
        try {
            new CountDownLatch(1).await();
            return Response.ok().text("never");
        } finally {
            told.add(System.nanoTime());
            trail.add(exchange.cancellation()
                    .reason()
                    .map(Reason::kind)
                    .map(Enum::name)
                    .orElse("not told"));
        }
    }

    private void routes(Routes routes) {
        routes.get("/sleep", this::sleep)
                .post("/sleep", this::sleep)
                .get("/alive", _ -> Response.ok().text("alive"))
                .get(
                        "/stream",
                        _ -> Response.ok().stream(out -> {
                            out.flush();
                            trail.add("sleeping");
                            try {
                                while (true) {
                                    out.write(new byte[1_000]);
                                }
                            } finally {
                                told.add(System.nanoTime());
                                trail.add("producer ended");
                            }
                        }));
    }

    @ParameterizedTest
    @CsvSource({"reset, true", "fin, true", "reset, false", "fin, false"})
    void gone_duringASleepingHandler_tellsItWithin20ms(String how, boolean nativeTransport) throws Exception {
        var delays = new ArrayList<Long>();
        try (var server = TestServer.of(builder -> builder.routes(this::routes).nativeTransport(nativeTransport))) {
            var base = Base.empty();
            for (int round = 1; round <= WARM + ROUNDS; round++) {
                if (round == WARM + 1) {
                    delays.clear();
                    server.await("cancelled", WARM);
                    base = Base.of(server);
                }
                try (var client = server.connect()) {
                    client.send(request("GET", "/sleep"));
                    trail.await("sleeping", round);
                    alive(server);
                    long went = System.nanoTime();
                    leave(client, how);
                    delays.add(told.take() - went);
                    trail.await("finalizer", round);
                }
            }
            base.mustBeBackWithin2s(server);
            alive(server);
            assertThat(trail.count("PEER_GONE")).isEqualTo(WARM + ROUNDS);
            assertThat(trail.count("finalizer")).isEqualTo(WARM + ROUNDS);
            assertThat(server.count("cancelled")).isEqualTo(WARM + ROUNDS);
            server.stop();
            assertThat(server.count("retained")).isZero();
            assertThat(server.count("connections")).isZero();
        }
        assertThat(median(delays)).isLessThan(MEDIAN_NANOS_MAX);
    }

    private static void leave(RawClient client, String how) throws IOException {
        if (how.equals("reset")) {
            client.reset();
        } else {
            client.fin();
        }
    }

    private static void alive(TestServer server) throws IOException {
        try (var client = server.connect()) {
            client.timeout(500);
            assertThat(client.get("/alive").status()).isEqualTo(200);
        }
    }

    private static long median(List<Long> delays) {
        Collections.sort(delays);
        return delays.get(delays.size() / 2);
    }

    /// The body queue is full and nothing is read from the client: epoll sees it go all the same, once its FIN has
    /// come through, for which what it sent before must fit the kernel.
    @ParameterizedTest
    @CsvSource({"reset", "fin"})
    void gone_whileItsBodyIsHeldUp_tellsTheHandler(String how) throws Exception {
        try (var server = TestServer.of(builder -> builder.routes(routes ->
                routes.route(Method.POST, "/sleep", RouteOptions.defaults().bodyBytesMax(10_000_000), this::sleep)))) {
            for (int round = 1; round <= 5; round++) {
                try (var client = server.connect()) {
                    client.send(request("POST", "/sleep", "Content-Length: 9000000"));
                    client.send(new byte[100_000]);
                    trail.await("sleeping", round);
                    leave(client, how);
                    trail.await("PEER_GONE", round);
                    trail.await("finalizer", round);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"reset", "fin"})
    void gone_whileAProducerIsHeldUp_endsIt(String how) throws Exception {
        try (var server = TestServer.serving(this::routes)) {
            for (int round = 1; round <= 5; round++) {
                try (var client = server.connect()) {
                    client.send(request("GET", "/stream")).head();
                    trail.await("sleeping", round);
                    leave(client, how);
                    trail.await("producer ended", round);
                }
            }
        }
    }

    @Test
    void gone_onARouteThatContinues_letsItEnd() throws Exception {
        var go = new CountDownLatch(1);
        try (var server = TestServer.serving(routes -> routes.route(
                Method.POST,
                "/work",
                RouteOptions.defaults().onPeerGone(RouteOptions.OnPeerGone.CONTINUE),
                exchange -> {
                    trail.add("working");
                    go.await();
                    trail.add("done " + exchange.cancellation().isCancelled());
                    return Response.ok().text("done");
                }))) {
            var client = server.connect();
            client.send(request("POST", "/work", "Content-Length: 0"));
            trail.await("working");
            client.reset();
            go.countDown();
            trail.await("done false");
            server.stop();
            assertThat(server.count("completed")).isOne();
        }
    }

    @Test
    void halfClose_whereItIsAllowed_isAnswered() throws Exception {
        try (var server = TestServer.of(builder -> builder.peerFin(PeerFin.HALF_CLOSE)
                        .routes(routes -> routes.get("/a", _ -> Response.ok().text("answer"))));
                var client = server.connect()) {
            client.send(request("GET", "/a")).fin();
            var answer = client.read();
            assertThat(answer.text()).isEqualTo("answer");
            assertThat(client.isEnded()).isTrue();
        }
    }
}
