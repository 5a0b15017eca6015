package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A drain with idle, looping and slow clients, and with requests that are under way. HTTP/2 is not spoken yet.
@ExtendWith(LeakCheck.class)
class C037_DrainTest {
    private static final int LOOPING = 10;
    private static final long PAUSE_MILLIS = 50;
    private static final Duration SLOW = Duration.ofSeconds(2);
    private static final Duration RIGHT_AFTER = Duration.ofMillis(300);
    private static final Duration AT_ONCE = Duration.ofMillis(300);

    private final Trail trail = new Trail();
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger answered = new AtomicInteger();

    private Response slow(Exchange exchange) throws InterruptedException {
        trail.add("slow");
        assertThat(never.await(SLOW.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
        return Response.ok().text("slow");
    }

    private TestServer server() {
        return TestServer.of(
                Duration.ofSeconds(5),
                builder -> builder.routes(routes -> routes.get(
                                "/", _ -> Response.ok().text("x"))
                        .post(
                                "/",
                                exchange -> Response.ok().text(exchange.body().text()))
                        .get("/slow", this::slow)));
    }

    /// Sends a request every 50 ms until an answer says that it was the last.
    private RawClient.Answer loop(TestServer server) throws IOException {
        try (var client = server.connect()) {
            var answer = client.get("/");
            while (!answer.closes()) {
                assertThat(answer.status()).isEqualTo(200);
                answered.incrementAndGet();
                new CompletableFuture<Void>()
                        .completeOnTimeout(null, PAUSE_MILLIS, TimeUnit.MILLISECONDS)
                        .join();
                answer = client.get("/");
            }
            assertThat(client.isEnded()).as("no client is told to reuse").isTrue();
            return answer;
        }
    }

    private static void await(java.util.function.BooleanSupplier condition) {
        var limit = Deadline.in(Duration.ofSeconds(10));
        while (!condition.getAsBoolean()) {
            assertThat(limit.passed()).isFalse();
            Thread.onSpinWait();
        }
    }

    @Test
    void drain_closesIdle_answersTheLoopingOnceWithClose_andEndsWithTheSlow() throws Exception {
        try (var server = server();
                var clients = Executors.newVirtualThreadPerTaskExecutor();
                var idle = server.connect();
                var inHead = server.connect();
                var inBody = server.connect();
                var slowClient = server.connect()) {
            idle.get("/");
            inHead.get("/");
            var looping = new ArrayList<Future<RawClient.Answer>>();
            for (int i = 0; i < LOOPING; i++) {
                Callable<RawClient.Answer> loop = () -> loop(server);
                looping.add(clients.submit(loop));
            }
            await(() -> answered.get() >= 25 * LOOPING);
            slowClient.send(request("GET", "/slow"));
            trail.await("slow");
            inHead.send("GET / HTTP/1.1\r\nHost: h\r\nX: half a");
            inBody.send(request("POST", "/", "Content-Length: 8") + "half");
            server.await("admitted", server.count("completed") + 2);

            long asked = System.nanoTime();
            var stop = server.host().stopAsync().toCompletableFuture();
            assertThat(idle.isEnded()).as("idle for more than a second").isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(AT_ONCE);
            inHead.send(" head\r\n\r\n");
            inBody.send("full");
            lastAnswer(inHead, inHead.read(), "x");
            lastAnswer(inBody, inBody.read(), "halffull");
            for (var loop : looping) {
                assertThat(loop.get().status()).isEqualTo(200);
            }
            assertThat(stop).as("the slow one is in flight").isNotDone();
            lastAnswer(slowClient, slowClient.read(), "slow");
            long slowEnded = System.nanoTime();
            var report = stop.get(10, TimeUnit.SECONDS);
            assertThat(Duration.ofNanos(System.nanoTime() - slowEnded)).isLessThan(RIGHT_AFTER);
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(server.count("completed")).isEqualTo(server.count("admitted"));
        }
    }

    private static void lastAnswer(RawClient client, RawClient.Answer answer, String text) {
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo(text);
        assertThat(answer.closes()).isTrue();
        assertThat(client.isEnded()).isTrue();
    }
}
