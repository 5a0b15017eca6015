package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufAllocatorMetricProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// What must be back at its value once clients have gone, while the server lives.
///
/// @param connections that the server owns
/// @param inFlight exchanges that are not retired
/// @param descriptors of this process
/// @param threads with a name of ours
/// @param timers that are pending
/// @param direct bytes that the transport's allocator holds
record Base(long connections, long inFlight, long descriptors, long threads, long timers, long direct) {
    private static final Duration SOON = Duration.ofSeconds(2);

    static Base empty() {
        return new Base(0, 0, 0, 0, 0, 0);
    }

    static Base of(TestServer server) throws IOException {
        return new Base(
                server.count("connections"),
                server.count("retained"),
                descriptorsNow(),
                Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().startsWith("tenure-http"))
                        .count(),
                Timers.system().pending(),
                directNow());
    }

    private static long descriptorsNow() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    private static long directNow() {
        return ByteBufAllocator.DEFAULT instanceof ByteBufAllocatorMetricProvider told
                ? told.metric().usedDirectMemory()
                : 0;
    }

    private boolean isBack(Base now) {
        return now.connections <= connections
                && now.inFlight <= inFlight
                && now.descriptors <= descriptors
                && now.threads <= threads
                && now.timers <= timers
                && now.direct <= direct;
    }

    void mustBeBackWithin2s(TestServer server) throws IOException {
        var limit = Deadline.in(SOON);
        var now = of(server);
        while (!isBack(now)) {
            assertThat(limit.passed()).as("base %s, after 2 s %s", this, now).isFalse();
            LockSupport.parkNanos(1_000_000);
            now = of(server);
        }
    }
}
