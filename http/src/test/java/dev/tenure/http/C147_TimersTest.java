package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Timers;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Requests with a long deadline that end at once: one timer a connection, none a request, nothing of a request
/// reachable.
@ExtendWith(LeakCheck.class)
class C147_TimersTest {
    private static final int REQUESTS = Boolean.getBoolean("tenure.soak") ? 200_000 : 5_000;
    private static final int CONNECTIONS = 4;

    private static long timerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tenure-timer"))
                .count();
    }

    @Test
    void bursts_leaveNoTimerBehind() throws IOException {
        int base = Timers.system().pending();
        try (var server =
                TestServer.serving(routes -> routes.get("/", _ -> Response.ok().text("x")))) {
            for (int burst = 0; burst < CONNECTIONS; burst++) {
                oneBurst(server, base + burst + 1);
            }
        }
        assertThat(Timers.system().pending()).isEqualTo(base);
    }

    private static void oneBurst(TestServer server, int pendingMax) throws IOException {
        try (var client = server.connect()) {
            for (int i = 0; i < REQUESTS / CONNECTIONS; i++) {
                assertThat(client.get("/").status()).isEqualTo(200);
            }
            assertThat(Timers.system().pending()).isLessThanOrEqualTo(pendingMax);
            assertThat(timerThreads()).isOne();
        }
    }

    @Test
    void request_thatEnded_isNotReachableWhileItsConnectionIsKept() throws IOException {
        List<WeakReference<Exchange>> seen = new CopyOnWriteArrayList<>();
        try (var server = TestServer.serving(routes -> routes.get("/", exchange -> {
                    seen.add(new WeakReference<>(exchange));
                    return Response.ok().text("x");
                }));
                var client = server.connect()) {
            for (int i = 0; i < 50; i++) {
                client.get("/");
            }
            client.send(request("GET", "/missing"));
            assertThat(client.read().status()).isEqualTo(404);
            for (int i = 0; i < 50 && seen.stream().anyMatch(each -> each.get() != null); i++) {
                System.gc();
            }
            assertThat(seen).hasSize(50).allMatch(each -> each.get() == null);
        }
    }
}
