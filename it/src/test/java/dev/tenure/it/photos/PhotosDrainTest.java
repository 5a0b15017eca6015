package dev.tenure.it.photos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.it.Counts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// SIGTERM under load: the drain bar of the design, against the real process.
class PhotosDrainTest {
    private static final int CLIENTS = 32;
    private static final int RESPONSES_MIN = 500;
    private static final long NOTICE_NANOS = Duration.ofMillis(50).toNanos();

    @TempDir
    Path folder;

    private record Round(long exitNanos, int responses, int photos) {}

    @Test
    void sigterm_underLoad_losesNothingAndSaysSo() throws Exception {
        int rounds = Counts.of(5, 100);
        long seed = Long.getLong("tenure.seed", new SplittableRandom().nextLong());
        var done = new ArrayList<Round>();
        for (int i = 0; i < rounds; i++) {
            done.add(round(folder.resolve("data-" + i), new SplittableRandom(seed + i)));
        }
        var exits = done.stream().map(Round::exitNanos).sorted().toList();
        var summary = "seed %d, %d rounds, %d responses, %d photos; exit after the last end: median %d us, worst %d us"
                .formatted(
                        seed,
                        rounds,
                        done.stream().mapToInt(Round::responses).sum(),
                        done.stream().mapToInt(Round::photos).sum(),
                        exits.get(rounds / 2) / 1_000,
                        exits.getLast() / 1_000);
        System.out.println("drain: " + summary);
        assertThat(exits.get(rounds / 2))
                .as(summary)
                .isLessThanOrEqualTo(Duration.ofMillis(100).toNanos());
        assertThat(exits.getLast())
                .as(summary)
                .isLessThanOrEqualTo(Duration.ofMillis(300).toNanos());
    }

    private Round round(Path data, SplittableRandom random) throws Exception {
        try (var photos = PhotosProcess.start(data, "--drill");
                var client = new PhotosClient(photos);
                var tab = client.events()) {
            tab.await(event -> event.name().equals("hello"));
            var tabEnd = CompletableFuture.supplyAsync(() -> {
                tab.await(event -> event.name().equals("draining"));
                return System.nanoTime();
            });
            var load = new Load(photos, random);
            load.awaitResponses(RESPONSES_MIN + random.nextInt(400), random.nextInt(60));
            long signalledAt = System.nanoTime();
            photos.terminate();
            int exitCode = photos.exitCode();
            long exitedAt = System.nanoTime();
            load.awaitClients();
            assertThat(exitCode).as(photos.errors()).isZero();
            var report = photos.report();
            judgeReport(report);
            long lastEnd = load.judge(signalledAt, Math.max(tabEnd.join(), signalledAt + report.jobsNanos()));
            var round = new Round(exitedAt - lastEnd, load.responses(), load.photos());
            judgeStore(data, round);
            return round;
        }
    }

    private static void judgeReport(PhotosProcess.Report report) {
        assertThat(report.completion()).isEqualTo("GRACEFUL");
        assertThat(report.trigger()).isEqualTo("SIGTERM");
        assertThat(report.exitCode()).isZero();
        assertThat(report.reconciles()).isTrue();
        assertThat(report.left()).isEqualTo(new PhotosProcess.Left(0, 0, 0));
    }

    private static void judgeStore(Path data, Round round) throws Exception {
        var store = new PhotosStore(data);
        assertThat(store.photos()).hasSize(round.photos());
        assertThat(store.leftovers()).isEmpty();
        assertThat(store.objects()).containsExactlyInAnyOrderElementsOf(store.referenced());
    }

    /// The clients of one round.
    private static final class Load {
        private final List<LoopClient> clients = new ArrayList<>();
        private final List<Thread> threads = new ArrayList<>();
        private final AtomicInteger responses = new AtomicInteger();
        private volatile CountDownLatch enough = new CountDownLatch(0);

        Load(PhotosProcess photos, SplittableRandom random) throws Exception {
            byte[] upload = PhotosClient.multipart("photo", "landscape.jpg", PhotosClient.photograph("landscape_6"));
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new LoopClient(photos.port(), random.split(), upload, this::responded));
            }
        }

        private void responded() {
            responses.incrementAndGet();
            enough.countDown();
        }

        void awaitResponses(int count, int moreMillis) throws InterruptedException {
            enough = new CountDownLatch(count);
            clients.forEach(client -> threads.add(Thread.ofPlatform().start(client)));
            assertThat(enough.await(60, TimeUnit.SECONDS))
                    .as("%d responses", count)
                    .isTrue();
            new CountDownLatch(1).await(moreMillis, TimeUnit.MILLISECONDS);
        }

        void awaitClients() throws InterruptedException {
            for (var thread : threads) {
                thread.join(30_000);
            }
        }

        int responses() {
            return responses.get();
        }

        int photos() {
            return (int) answers().filter(answer -> answer.status() == 201).count();
        }

        private Stream<LoopClient.Answer> answers() {
            return clients.stream().flatMap(client -> client.answers().stream());
        }

        /// When the last thing ended: this, a response, or a close.
        long judge(long signalledAt, long otherEnd) {
            assertThat(clients).allSatisfy(client -> {
                assertThat(client.lost()).isEmpty();
                assertThat(client.answers().getLast().closing()).isTrue();
            });
            answers().forEach(answer -> judge(answer, signalledAt));
            assertThat(responses.get()).isGreaterThanOrEqualTo(RESPONSES_MIN);
            var ends = Stream.concat(
                    answers().map(LoopClient.Answer::doneAt), clients.stream().map(LoopClient::closedAt));
            return ends.reduce(otherEnd, Math::max);
        }

        private static void judge(LoopClient.Answer answer, long signalledAt) {
            if (answer.doneAt() < signalledAt) {
                assertThat(answer.closing()).as("before the signal: %s", answer).isFalse();
            }
            if (answer.sentAt() >= signalledAt + NOTICE_NANOS) {
                assertThat(answer.closing())
                        .as("sent %d ms after the signal: %s", (answer.sentAt() - signalledAt) / 1_000_000, answer)
                        .isTrue();
            }
        }
    }
}
