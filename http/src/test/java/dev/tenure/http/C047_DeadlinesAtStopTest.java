package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Finished requests whose deadlines lie far ahead do not hold a stop up.
@ExtendWith(LeakCheck.class)
class C047_DeadlinesAtStopTest {
    private static final int CONNECTIONS = 100;
    private static final int REQUESTS = 1_000;

    @Test
    void stop_afterAThousandRequests_takesUnderHalfASecond_andLeavesNoTimerThread() throws IOException {
        int base = Timers.system().pending();
        try (var server = TestServer.serving(routes -> routes.get(
                "/",
                exchange ->
                        Response.ok().text("" + exchange.deadline().remaining().toSeconds())))) {
            var kept = new ArrayList<RawClient>();
            for (int i = 0; i < CONNECTIONS; i++) {
                var client = server.connect();
                requests(client);
                if (i % 2 == 0) {
                    client.close();
                } else {
                    kept.add(client);
                }
            }
            assertThat(timerThreads()).as("one for all").hasSize(1);
            idleForASecond();
            var report = server.stop();
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(report.elapsed()).isLessThan(Duration.ofMillis(500));
            assertThat(server.count("completed")).isEqualTo(REQUESTS);
            for (var client : kept) {
                assertThat(client.isEnded()).isTrue();
                client.close();
            }
        }
        await(() -> Timers.system().pending() == base);
        await(() -> timerThreads().isEmpty());
    }

    private static void requests(RawClient client) throws IOException {
        for (int i = 0; i < REQUESTS / CONNECTIONS; i++) {
            assertThat(client.get("/").text()).isIn("59", "60");
        }
    }

    /// A kept-alive connection has a second after its last activity to send one more; see the README.
    private static void idleForASecond() {
        new CompletableFuture<Void>()
                .completeOnTimeout(null, 1_050, TimeUnit.MILLISECONDS)
                .join();
    }

    private static List<Thread> timerThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("tenure-timer"))
                .toList();
    }

    private static void await(BooleanSupplier condition) {
        var limit = Deadline.in(Duration.ofSeconds(2));
        while (!condition.getAsBoolean()) {
            assertThat(limit.passed()).as("2 s after the stop").isFalse();
            Thread.onSpinWait();
        }
    }
}
