package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.util.ArrayList;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that do what they like, and leave in the middle of it: every exchange is accounted for, every resource is
/// released once, and nothing is left.
@ExtendWith(LeakCheck.class)
class DisconnectStormTest {
    private static final int CLIENTS = 16;
    private static final int ROUNDS = Boolean.getBoolean("tenure.soak") ? 1_000 : 30;

    private static final int PATIENCE_MILLIS = 30;

    private final AtomicLong acquired = new AtomicLong();
    private final AtomicLong released = new AtomicLong();
    private final ResourceType<String> resource = ResourceType.of("resource", _ -> released.incrementAndGet());

    private void own() {
        acquired.incrementAndGet();
        Scope.current().own(resource, "resource");
    }

    private void routes(Routes routes) {
        routes.get("/plain", _ -> {
                    own();
                    return Response.ok().text("plain");
                })
                .get("/sleep", _ -> {
                    own();
                    new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
                    return Response.ok().text("slept");
                })
                .post("/echo", exchange -> {
                    own();
                    return Response.ok().bytes(exchange.body().bytes());
                })
                .post("/ignore", _ -> {
                    own();
                    return Response.status(403).text("no");
                })
                .get("/stream", _ -> {
                    own();
                    return Response.ok().stream(out -> {
                        for (int i = 0; i < 200; i++) {
                            out.write(new byte[5_000]);
                        }
                    });
                })
                .get("/events", _ -> {
                    own();
                    return Response.ok().events(events -> {
                        for (int i = 0; i < 20; i++) {
                            events.send("tick", "" + i);
                            new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
                        }
                    });
                });
    }

    private static void act(int port, SplittableRandom random) throws IOException {
        try (var client = new RawClient(port)) {
            client.timeout(PATIENCE_MILLIS);
            for (int i = random.nextInt(4); i >= 0; i--) {
                client.send(
                        switch (random.nextInt(8)) {
                            case 0 -> request("GET", "/sleep");
                            case 1 ->
                                request("POST", "/echo", "Content-Length: 100000")
                                        + "x".repeat(random.nextInt(100_001));
                            case 2 ->
                                request("POST", "/echo", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n";
                            case 3 ->
                                request("POST", "/ignore", "Content-Length: 90000")
                                        + "x".repeat(random.nextInt(90_001));
                            case 4 -> request("GET", "/stream");
                            case 5 -> request("GET", "/events");
                            case 6 -> request("GET", "/plain").substring(0, 1 + random.nextInt(30));
                            default -> request("GET", "/plain") + request("GET", "/missing");
                        });
                for (int left = random.nextInt(3_000);
                        left > 0 && random.nextInt(200) > 0 && client.readByte() >= 0;
                        left--) {
                    // as much as it likes
                }
            }
            leave(client, random.nextInt(3));
        }
    }

    private static void leave(RawClient client, int how) throws IOException {
        if (how == 0) {
            client.reset();
        } else if (how == 1) {
            client.fin();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void storm_leavesNothingUnaccounted(boolean nativeTransport) throws Exception {
        try (var server = TestServer.of(
                        builder -> builder.nativeTransport(nativeTransport).routes(this::routes));
                var clients = Executors.newCachedThreadPool()) {
            var all = new ArrayList<Future<Integer>>();
            for (int i = 0; i < CLIENTS; i++) {
                all.add(clients.submit(rounds(server.server().port(), i)));
            }
            for (var one : all) {
                one.get(120, TimeUnit.SECONDS);
            }
            try (var client = server.connect()) {
                assertThat(client.get("/plain").text()).isEqualTo("plain");
            }
            var report = server.stop();
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(server.count("admitted")).isEqualTo(server.count("completed") + server.count("cancelled"));
            assertThat(server.count("retained")).isZero();
            assertThat(released).hasValue(acquired.get());
            assertThat(server.failures()).isEmpty();
        }
    }

    private static Callable<Integer> rounds(int port, int seed) {
        return () -> {
            var random = new SplittableRandom(seed);
            int broken = 0;
            for (int round = 0; round < ROUNDS; round++) {
                try {
                    act(port, random);
                } catch (IOException e) {
                    broken++;
                }
            }
            return broken;
        };
    }

    @Test
    void slowWriters_byteByByte_areServed() throws Exception {
        try (var server = TestServer.serving(this::routes);
                var client = server.connect()) {
            for (byte b : request("POST", "/echo", "Content-Length: 3")
                    .getBytes(java.nio.charset.StandardCharsets.US_ASCII)) {
                client.send(new byte[] {b});
            }
            client.send("a").send("b").send("c");
            assertThat(client.read().text()).isEqualTo("abc");
        }
    }
}
