package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.FakeClock;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Twenty clients that take 10 KB a second of a gigabyte each, on a clock of our own: each producer is blocked at its
/// high-water mark, memory stays bounded, the write-stall deadline ends them all, and other clients are served.
public final class SlowReaders {
    private static final int CLIENTS = 20;
    private static final long PRODUCED = 1_000_000_000;
    private static final int PIECE = 10_000;
    private static final int RATE = 10_000;
    private static final int SECONDS_MAX = 300;
    private static final int OTHERS = 5;
    private static final long DIRECT_MAX = 64L << 20;

    /// What a gate lets through, with the piece that reached it and the framing of chunks.
    private static final long GATE_MAX = 65_536 + 2 * PIECE;

    private final FakeClock clock = new FakeClock();
    private final AtomicLong[] written = new AtomicLong[CLIENTS];
    private final AtomicLong ended = new AtomicLong();
    private final List<Reader> readers = new ArrayList<>();
    private volatile long directPeak;
    private volatile boolean over;

    private static final class Reader {
        final RawClient client;
        boolean gone;

        Reader(RawClient client) {
            this.client = client;
        }

        /// A second's worth, or less if the server has given up.
        void readOneSecond() {
            try {
                for (int i = 0; i < RATE && !gone; i++) {
                    gone = client.readByte() < 0;
                }
            } catch (IOException reset) {
                gone = true;
            }
        }
    }

    private SlowReaders() {
        for (int i = 0; i < CLIENTS; i++) {
            written[i] = new AtomicLong();
        }
    }

    public static void main(String[] args) throws Exception {
        new SlowReaders().run();
        System.exit(0);
    }

    private Response slow(Exchange exchange) {
        int id = Integer.parseInt(exchange.query("id").orElseThrow());
        return Response.ok().stream(out -> {
            byte[] piece = new byte[PIECE];
            try {
                for (long left = PRODUCED; left > 0; left -= piece.length) {
                    out.write(piece);
                    written[id].addAndGet(piece.length);
                }
            } finally {
                ended.incrementAndGet();
            }
        });
    }

    private void run() throws Exception {
        Thread.ofPlatform().daemon().start(this::watchMemory);
        try (var server = TestServer.of(
                clock,
                builder -> builder.routes(routes -> routes.get("/slow", this::slow)
                        .get("/alive", _ -> Response.ok().text("alive"))))) {
            for (int i = 0; i < CLIENTS; i++) {
                var client = new RawClient(server.server().port(), 8_192);
                client.send(request("GET", "/slow?id=" + i)).head();
                readers.add(new Reader(client));
            }
            settled();
            assertHeldUp(server);
            int seconds = readSlowly(server);
            System.out.printf("after %d s of 10 KB/s, direct memory peaked at %d%n", seconds, directPeak);
            server.await("cancelled", CLIENTS);
            for (var reader : readers) {
                reader.client.close();
            }
        }
        over = true;
        assertThat(directPeak).isLessThan(DIRECT_MAX);
        System.out.printf("ended %d of %d producers%n", ended.get(), CLIENTS);
    }

    private int readSlowly(TestServer server) throws IOException {
        for (int second = 1; second <= SECONDS_MAX; second++) {
            readers.forEach(Reader::readOneSecond);
            server.advance(Duration.ofSeconds(1));
            others(server);
            if (readers.stream().allMatch(reader -> reader.gone) || ended.get() == CLIENTS) {
                return second;
            }
        }
        throw new AssertionError("%d of %d producers were ended after %d s: %s"
                .formatted(ended.get(), CLIENTS, SECONDS_MAX, List.of(written)));
    }

    private static void others(TestServer server) throws IOException {
        for (int i = 0; i < OTHERS; i++) {
            try (var other = server.connect()) {
                other.timeout(500);
                assertThat(other.get("/alive").text()).isEqualTo("alive");
            }
        }
    }

    /// Each producer is blocked at the mark: what it wrote is read, with a kernel, or in its gate.
    private void assertHeldUp(TestServer server) throws IOException {
        for (int i = 0; i < CLIENTS; i++) {
            var reader = readers.get(i);
            long kernel =
                    inKernel(server.server().port(), reader.client.address().getPort());
            assertThat(written[i].get() - kernel)
                    .as("of producer %d, in its gate", i)
                    .isLessThanOrEqualTo(GATE_MAX);
            assertThat(written[i].get()).isLessThan(PRODUCED);
        }
        assertThat(ended.get()).as("none has ended").isZero();
    }

    /// What waits in both kernels' queues of one connection.
    private static long inKernel(int serverPort, int clientPort) throws IOException {
        String server = String.format(Locale.ROOT, ":%04X", serverPort);
        String client = String.format(Locale.ROOT, ":%04X", clientPort);
        long bytes = 0;
        for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
            for (String line : Files.readAllLines(Path.of(table))) {
                String[] cells = line.strip().split(" +", -1);
                boolean out = cells[1].endsWith(server) && cells[2].endsWith(client);
                boolean in = cells[1].endsWith(client) && cells[2].endsWith(server);
                if (out || in) {
                    String[] queues = cells[4].split(":", -1);
                    bytes += Long.parseLong(queues[out ? 0 : 1], 16);
                }
            }
        }
        return bytes;
    }

    /// Waits until no count moves any more: every producer is blocked.
    private void settled() {
        long last = -1;
        for (int same = 0; same < 20; ) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            long now = 0;
            for (var each : written) {
                now += each.get();
            }
            same = now == last && now > 0 ? same + 1 : 0;
            last = now;
        }
    }

    private void watchMemory() {
        while (!over) {
            directPeak = Math.max(directPeak, PlatformDependent.usedDirectMemory());
            LockSupport.parkNanos(1_000_000);
        }
    }
}
