package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import io.netty.util.internal.PlatformDependent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Clients that take next to nothing of what a producer writes: it is blocked, memory stays bounded, the write-stall
/// deadline ends it, and other clients are served meanwhile.
@ExtendWith(LeakCheck.class)
class C083_BackPressureTest {
    private static final int CLIENTS = 20;
    private static final long PRODUCED = 1_000_000_000;
    private static final long DIRECT_MAX = 64L * 1024 * 1024;

    /// What a kernel may keep for one connection, both sides.
    private static final long KERNEL_MAX = 16L * 1024 * 1024;

    @Test
    void slowReaders_holdTheirProducersUp() throws Exception {
        var clock = new FakeClock();
        var trail = new Trail();
        var written = new AtomicLong();
        try (var server = TestServer.of(
                clock,
                builder -> builder.routes(routes -> routes.get("/slow", exchange -> {
                            String id = exchange.query("id").orElseThrow();
                            return Response.ok().stream(out -> {
                                byte[] piece = new byte[10_000];
                                try {
                                    for (long left = PRODUCED; left > 0; left -= piece.length) {
                                        out.write(piece);
                                        written.addAndGet(piece.length);
                                    }
                                } finally {
                                    trail.add("ended " + id);
                                }
                            });
                        })
                        .get("/alive", _ -> Response.ok().text("alive"))))) {
            var clients = new ArrayList<RawClient>();
            for (int i = 0; i < CLIENTS; i++) {
                var client = new RawClient(server.server().port(), 8_192);
                client.send(request("GET", "/slow?id=" + i));
                client.head();
                clients.add(client);
            }
            long before = settled(written);
            assertThat(before).isLessThan(CLIENTS * KERNEL_MAX);
            for (var client : clients) {
                assertThat(client.chunk()).isNotEmpty();
            }
            assertThat(PlatformDependent.usedDirectMemory()).isLessThan(DIRECT_MAX);
            try (var other = server.connect()) {
                assertThat(other.get("/alive").text()).isEqualTo("alive");
            }
            assertThat(trail.events()).isEmpty();
            server.advance(Duration.ofSeconds(31));
            server.advance(Duration.ofSeconds(31));
            for (int i = 0; i < CLIENTS; i++) {
                trail.await("ended " + i);
                clients.get(i).close();
            }
            server.stop();
            assertThat(server.count("cancelled")).isEqualTo(CLIENTS);
        }
    }

    /// The count once it does not move any more: every producer is blocked.
    private static long settled(AtomicLong written) {
        long last = -1;
        for (int same = 0; same < 20; ) {
            java.util.concurrent.locks.LockSupport.parkNanos(
                    Duration.ofMillis(10).toNanos());
            long now = written.get();
            same = now == last ? same + 1 : 0;
            last = now;
        }
        return last;
    }
}
