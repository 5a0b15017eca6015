package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Requests with a long deadline that end at once: one timer a connection, none a request, nothing of a request
/// reachable. See [Bursts] for what is asserted after each burst, in a JVM of 128 MB.
@ExtendWith(LeakCheck.class)
class C147_TimersTest {
    private static final int REQUESTS = Boolean.getBoolean("tenure.soak") ? 200_000 : 20_000;

    @Test
    void bursts_leaveNoTimerBehind() {
        try (var child = ChildJvm.start(List.of("-Xmx128m"), Bursts.class, "" + REQUESTS)) {
            assertThat(child.awaitExit(Duration.ofMinutes(4))).isZero();
            String told = child.awaitLine("served ");
            System.out.println(told);
            assertThat(told).startsWith("served " + REQUESTS + " requests in 10 bursts");
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
