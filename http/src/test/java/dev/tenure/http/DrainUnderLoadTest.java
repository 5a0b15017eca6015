package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/// Clients in a closed loop over a stop at a random moment: nothing is lost, nobody is told to come again, and the
/// stop ends with the last answer.
@ExtendWith(LeakCheck.class)
class DrainUnderLoadTest {
    private static final int CLIENTS = 32;
    private static final int RESPONSES = 500;
    private static final Duration AFTER_LAST_MAX = Duration.ofMillis(300);
    private static final Duration SETTLED = Duration.ofMillis(50);

    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger kept = new AtomicInteger();
    private final AtomicLong lastAnswer = new AtomicLong();
    private final AtomicLong firstClose = new AtomicLong();
    private final List<String> losses = java.util.Collections.synchronizedList(new ArrayList<>());

    /// Connections that the kernel had made when the listener was closed, and dropped: HTTP/1.1 can't avoid them.
    private final List<String> crossings = java.util.Collections.synchronizedList(new ArrayList<>());

    private final CountDownLatch warm = new CountDownLatch(RESPONSES);
    private volatile long stopAt = Long.MAX_VALUE;

    private static Response slow(Exchange exchange) throws InterruptedException {
        new CountDownLatch(1).await(50, TimeUnit.MILLISECONDS);
        return Response.ok().text("slow");
    }

    private static void routes(Routes routes) {
        routes.get("/plain", _ -> Response.ok().text("hello"))
                .get("/slow", DrainUnderLoadTest::slow)
                .post("/echo", exchange -> Response.ok().bytes(exchange.body().bytes()));
    }

    private void client(int port, long seed) {
        var random = new SplittableRandom(seed);
        try {
            while (true) {
                conversation(port, random);
            }
        } catch (ConnectException _) {
            // the listener is closed: a clean refusal
        }
    }

    /// One connection, until an answer ends it.
    private void conversation(int port, SplittableRandom random) throws ConnectException {
        boolean fresh = true;
        try (var client = new RawClient(port)) {
            for (boolean closes = false; !closes; fresh = false) {
                long sent = System.nanoTime();
                client.send(
                        switch (random.nextInt(4)) {
                            case 0 -> request("GET", "/plain");
                            case 1 -> request("POST", "/echo", "Content-Length: 5") + "hello";
                            default -> request("GET", "/slow");
                        });
                closes = read(client, sent);
            }
            if (!client.isEnded()) {
                losses.add("more than an answer");
            }
        } catch (ConnectException refused) {
            throw refused;
        } catch (IOException e) {
            var list = fresh && stopAt != Long.MAX_VALUE ? crossings : losses;
            list.add("%s, %d ms from the stop".formatted(e, (System.nanoTime() - stopAt) / 1_000_000));
        }
    }

    private boolean read(RawClient client, long sent) throws IOException {
        var answer = client.read();
        lastAnswer.accumulateAndGet(System.nanoTime(), Math::max);
        if (answer.status() != 200) {
            losses.add("status " + answer.status());
        }
        answered.incrementAndGet();
        warm.countDown();
        if (answer.closes()) {
            firstClose.compareAndSet(0, System.nanoTime());
        }
        long first = firstClose.get();
        if (first != 0 && sent - first > SETTLED.toNanos() && !answer.closes()) {
            kept.incrementAndGet();
        }
        return answer.closes();
    }

    @RepeatedTest(5)
    void stop_underLoad_losesNothing(RepetitionInfo repetition) throws Exception {
        long seed = repetition.getCurrentRepetition() * 1_000L;
        try (var server = TestServer.serving(DrainUnderLoadTest::routes);
                var clients = Executors.newCachedThreadPool()) {
            for (int i = 0; i < CLIENTS; i++) {
                long own = seed + i;
                clients.execute(() -> client(server.server().port(), own));
            }
            warm.await();
            new CountDownLatch(1).await(new SplittableRandom(seed).nextInt(100), TimeUnit.MILLISECONDS);
            stopAt = System.nanoTime();
            var report = server.stop();
            long ended = System.nanoTime();
            clients.shutdown();
            assertThat(clients.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
            assertThat(losses).as("seed %d", seed).isEmpty();
            assertThat(crossings).as("dropped by the kernel").hasSizeLessThanOrEqualTo(1);
            assertThat(kept).as("answers after the stop that invite reuse").hasValue(0);
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(Duration.ofNanos(ended - lastAnswer.get())).isLessThan(AFTER_LAST_MAX);
            assertThat(server.count("admitted")).isEqualTo(answered.get()).isEqualTo(server.count("completed"));
        }
    }
}
