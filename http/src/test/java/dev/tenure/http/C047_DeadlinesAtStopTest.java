package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Timers;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Finished requests whose deadlines lie far ahead do not hold a stop up.
@ExtendWith(LeakCheck.class)
class C047_DeadlinesAtStopTest {
    @Test
    void stop_afterAThousandRequests_takesUnderHalfASecond() throws IOException {
        int base = Timers.system().pending();
        try (var server =
                TestServer.serving(routes -> routes.get("/", _ -> Response.ok().text("x")))) {
            try (var client = server.connect()) {
                for (int i = 0; i < 1_000; i++) {
                    client.get("/");
                }
            }
            var report = server.stop();
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(report.elapsed()).isLessThan(Duration.ofMillis(500));
        }
        assertThat(Timers.system().pending()).isEqualTo(base);
    }
}
