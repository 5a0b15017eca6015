package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/// Ten bursts of requests that take 1 ms, each with a deadline of 60 s: after each, the timers are at their base again
/// although the server lives; meanwhile there is one timer thread, and an alarm a connection at most.
public final class Bursts {
    private static final int BURSTS = 10;
    private static final int CONNECTIONS = 16;
    private static final long ONE_MILLI = 1_000_000;

    private final int requests;
    private final int base = Timers.system().pending();

    private Bursts(int requests) {
        this.requests = requests;
    }

    public static void main(String[] args) throws Exception {
        new Bursts(Integer.parseInt(args[0])).run();
        System.exit(0);
    }

    private void run() throws Exception {
        long began = System.nanoTime();
        try (var server = TestServer.serving(routes -> routes.get("/", exchange -> {
            LockSupport.parkNanos(ONE_MILLI);
            return Response.ok().text("" + exchange.deadline().remaining().toSeconds());
        }))) {
            for (int burst = 0; burst < BURSTS; burst++) {
                burst(server);
                var limit = Deadline.in(Duration.ofSeconds(2));
                while (Timers.system().pending() != base) {
                    assertThat(limit.passed())
                            .as(
                                    "%d timers 2 s after burst %d (base %d)",
                                    Timers.system().pending(), burst, base)
                            .isFalse();
                    LockSupport.parkNanos(ONE_MILLI);
                }
            }
            server.await("completed", (long) requests / BURSTS * BURSTS);
        }
        long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        System.out.printf(
                "served %d requests in %d bursts in %d ms; heap in use %d KiB of %d%n",
                requests / BURSTS * BURSTS,
                BURSTS,
                (System.nanoTime() - began) / ONE_MILLI,
                used >> 10,
                Runtime.getRuntime().maxMemory() >> 10);
    }

    private void burst(TestServer server) throws Exception {
        var all = new ArrayList<Future<Integer>>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < CONNECTIONS; i++) {
                int share = requests / BURSTS / CONNECTIONS + (i < requests / BURSTS % CONNECTIONS ? 1 : 0);
                Callable<Integer> client = () -> client(server, share);
                all.add(threads.submit(client));
            }
        }
        int served = 0;
        for (var each : all) {
            served += each.get();
        }
        assertThat(served).isEqualTo(requests / BURSTS);
    }

    private int client(TestServer server, int share) throws IOException {
        try (var client = server.connect()) {
            for (int i = 0; i < share; i++) {
                assertThat(client.get("/").text()).isIn("59", "60");
            }
            assertThat(Timers.system().pending()).isLessThanOrEqualTo(base + CONNECTIONS);
            assertThat(timerThreads()).isOne();
        }
        return share;
    }

    private static long timerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tenure-timer"))
                .count();
    }
}
