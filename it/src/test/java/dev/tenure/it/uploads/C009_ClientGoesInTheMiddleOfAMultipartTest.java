package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.it.Base;
import dev.tenure.it.Counts;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import dev.tenure.testkit.Probes;
import dev.tenure.uploads.Part;
import dev.tenure.uploads.Uploads;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C009: two parts, a complete one of 1 MB whose callback has its file open, and one of 10 MB of which 2 MB are
/// sent before the client resets.
@ExtendWith(LeakCheck.class)
class C009_ClientGoesInTheMiddleOfAMultipartTest {
    private static final int ROUNDS = Counts.of(20, 200);
    private static final String FIRST = Client.part("first", "1".repeat(1_000_000));
    private static final String SECOND_HEAD = Client.part("second", "").stripTrailing() + "\r\n\r\n";
    private static final long LENGTH = FIRST.length() + SECOND_HEAD.length() + 10_000_000L + "\r\n--B--".length();
    private static final String SENT = FIRST + SECOND_HEAD + "2".repeat(2_000_000);

    @TempDir
    Path directory;

    private final List<String> trail = new CopyOnWriteArrayList<>();

    private UploadServer server() {
        return new UploadServer(directory, uploads -> uploads.partBytesMax(20_000_000), http -> http);
    }

    @Test
    void C009_resetWhileTheFirstCallbackRuns() throws Exception {
        try (var leaks = new BufferLeaks();
                var server = server();
                var bystander = server.connect()) {
            Base base = null; // taken after the first round, which loads what a reset needs
            for (var round = 0; round < ROUNDS; round++) {
                trail.clear();
                var inCallback = new CountDownLatch(1);
                server.working((uploads, exchange) -> receive(uploads, exchange, inCallback));
                var mark = Ledger.ofThisJvm().mark();
                resetOnce(server, inCallback::await);
                assertThat(server.awaitRetirement()).isEmpty();
                assertThat(trail)
                        .containsExactly("callback first", "cancelled", "cleanup, file there: true", "handler ends");
                assertFileWentBeforeTheConnection(server);
                assertThat(bystander.get("/ok").status()).isEqualTo(200);
                server.assertBase(mark);
                base = base == null ? Base.now() : back(base, round);
            }
            server.assertAlive();
            leaks.assertNone();
        }
    }

    private Response receive(Uploads uploads, Exchange exchange, CountDownLatch inCallback) throws Exception {
        try {
            uploads.eachPart(exchange, part -> {
                trail.add("callback " + part.name());
                openUntilCancelled(part, inCallback);
            });
            return Response.ok().empty();
        } finally {
            trail.add("handler ends");
        }
    }

    private void openUntilCancelled(Part part, CountDownLatch inCallback) throws Exception {
        try (var scope = Scope.open("callback")) {
            scope.own(new Cleanup(FileChannel.open(part.file()), part.file(), trail));
            inCallback.countDown();
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            trail.add(trail.size() - 1, "cancelled");
            throw e;
        }
    }

    /// What a callback has open; it needs the file until it is closed.
    private record Cleanup(FileChannel open, Path file, List<String> trail) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            trail.add("cleanup, file there: " + Files.exists(file));
            open.close();
        }
    }

    @Test
    void C009_resetWhileTheSecondPartComes() throws Exception {
        var files = new Semaphore(0);
        try (var leaks = new BufferLeaks();
                var server = server();
                var bystander = server.connect();
                var _ = Probes.install(point -> {
                    if (point.equals("acquire/part file:after")) {
                        files.release();
                    }
                })) {
            server.working((uploads, exchange) -> {
                uploads.eachPart(exchange, part -> trail.add("callback " + part.name() + " " + part.size()));
                return Response.ok().empty();
            });
            var mark = Ledger.ofThisJvm().mark();
            Base base = null;
            for (var round = 0; round < ROUNDS; round++) {
                trail.clear();
                resetOnce(server, () -> files.acquire(2));
                assertThat(server.awaitRetirement()).isEmpty();
                assertFileWentBeforeTheConnection(server);
                assertThat(trail).containsExactly("callback first 1000000");
                assertThat(bystander.get("/ok").status()).isEqualTo(200);
                base = base == null ? Base.now() : back(base, round);
            }
            server.assertBase(mark);
            server.assertAlive();
            leaks.assertNone();
        }
    }

    /// At the instant at which the upload's scope ended, and its files were seen to be gone, its connection was still
    /// there beside the bystander's; it retires after that.
    private static void assertFileWentBeforeTheConnection(UploadServer server) {
        assertThat(server.connectionsAtRetirement()).isEqualTo(2);
        var limit = Deadline.in(Duration.ofSeconds(2));
        while (server.connections() > 1 && !limit.passed()) {
            Thread.onSpinWait();
        }
        assertThat(server.connections()).as("the bystander's alone").isEqualTo(1);
    }

    /// The descriptors of the live server too.
    private static Base back(Base base, int round) {
        base.assertBack("in round " + round);
        return base;
    }

    @FunctionalInterface
    private interface Wait {
        void run() throws InterruptedException;
    }

    /// Sends on a task of its own, since the server takes only so much while a callback runs, and resets when it is
    /// time.
    private static void resetOnce(UploadServer server, Wait time) throws Exception {
        try (var tasks = Supervisor.open("client");
                var client = server.connect()) {
            tasks.fork("send", () -> {
                try {
                    return client.send(Client.head(LENGTH)).send(SENT);
                } catch (IOException reset) {
                    return client;
                }
            });
            time.run();
            client.reset();
        }
    }
}
