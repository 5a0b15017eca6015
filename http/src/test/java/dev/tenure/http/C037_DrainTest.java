package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A drain with idle, busy and slow clients. HTTP/2 is not spoken yet.
@ExtendWith(LeakCheck.class)
class C037_DrainTest {
    private static final int BUSY = 10;

    @Test
    void drain_closesIdle_answersBusyOnceWithClose_andEndsWithTheSlow() throws Exception {
        var clock = new FakeClock();
        var trail = new Trail();
        var slow = new CountDownLatch(1);
        try (var server = TestServer.of(
                clock,
                builder -> builder.routes(routes -> routes.get(
                                "/", _ -> Response.ok().text("x"))
                        .get("/slow", _ -> {
                            trail.add("slow");
                            slow.await();
                            return Response.ok().text("slow");
                        })))) {
            var idle = server.connect();
            idle.get("/");
            server.await("completed", 1);
            server.advance(Duration.ofMillis(1_500));
            var busy = new ArrayList<RawClient>();
            for (int i = 0; i < BUSY; i++) {
                busy.add(server.connect());
                assertThat(busy.get(i).get("/").closes()).isFalse();
            }
            var slowClient = server.connect().send(request("GET", "/slow"));
            trail.await("slow");

            var stop = server.host().stopAsync().toCompletableFuture();
            assertThat(idle.isEnded()).as("idle closes at once").isTrue();
            for (var client : busy) {
                client.send(request("GET", "/"));
            }
            for (var client : busy) {
                var last = client.read();
                assertThat(last.status()).isEqualTo(200);
                assertThat(last.closes()).isTrue();
                assertThat(client.isEnded()).isTrue();
                client.close();
            }
            assertThat(stop).isNotDone();
            slow.countDown();
            var answer = slowClient.read();
            assertThat(answer.text()).isEqualTo("slow");
            assertThat(answer.closes()).isTrue();
            var report = stop.get();
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(server.count("admitted")).isEqualTo(2L * BUSY + 2);
            assertThat(server.count("completed")).isEqualTo(2L * BUSY + 2);
            idle.close();
            slowClient.close();
        }
    }
}
