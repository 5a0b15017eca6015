package dev.tenure.it.uploads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Threads;
import dev.tenure.host.Host;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpServer;
import dev.tenure.http.HttpServerBuilder;
import dev.tenure.http.Method;
import dev.tenure.http.Response;
import dev.tenure.http.RouteOptions;
import dev.tenure.testkit.Ledger;
import dev.tenure.uploads.Uploads;
import dev.tenure.uploads.UploadsBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/// A real server whose `POST /upload` is the test's, whose `GET /ok` says that it lives, and what its log has seen.
final class UploadServer implements AutoCloseable {
    private static final Duration WATCHDOG = Duration.ofSeconds(10);
    private static final long BODY_BYTES_MAX = 1L << 30;

    /// The test's part of the server.
    @FunctionalInterface
    interface Work {
        Response upload(Uploads uploads, Exchange exchange) throws Exception;
    }

    private final Path directory;
    private final List<Throwable> logged = new CopyOnWriteArrayList<>();
    private final Semaphore retired = new Semaphore(0);
    private final List<Path> leftAtRetirement = new CopyOnWriteArrayList<>();
    private final AtomicLong connectionsAtRetirement = new AtomicLong();
    private final AtomicLong virtualThreads = new AtomicLong();
    private final ResourceType<String> lastOfExchange = ResourceType.of("end of exchange", _ -> atRetirement());
    private final Host host;
    private final Uploads uploads;
    private final HttpServer server;
    private volatile Work work = (_, _) -> Response.ok().empty();

    UploadServer(Path directory, UnaryOperator<UploadsBuilder> settings, UnaryOperator<HttpServerBuilder> http) {
        this.directory = directory;
        var observer = new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                logged.add(failure);
            }
        };
        host = Host.named("it")
                .signals(false)
                .observer(observer)
                .threads(new CountingThreads())
                .start();
        uploads = host.own(settings.apply(Uploads.in(directory)));
        server = host.own(http.apply(HttpServer.on(0)
                .routes(routes -> routes.get("/ok", _ -> Response.ok().text("ok"))
                        .route(
                                Method.POST,
                                "/upload",
                                RouteOptions.defaults().bodyBytesMax(BODY_BYTES_MAX),
                                this::upload))));
        host.ready();
    }

    /// What the exchange's scope ends with is registered first, so it ends last.
    private Response upload(Exchange exchange) throws Exception {
        exchange.scope().own(lastOfExchange, exchange.id());
        return work.upload(uploads, exchange);
    }

    private void atRetirement() {
        leftAtRetirement.addAll(partFiles());
        connectionsAtRetirement.set(connections());
        retired.release();
    }

    /// The system's, counting.
    private final class CountingThreads implements Threads {
        @Override
        public Thread startVirtual(String name, Runnable body) {
            virtualThreads.incrementAndGet();
            return Threads.system().startVirtual(name, body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            return Threads.system().startPlatform(name, body);
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return Threads.system().unstartedPlatform(name, body);
        }
    }

    /// How many virtual threads were started for this server so far.
    long virtualThreadsStarted() {
        return virtualThreads.get();
    }

    /// How many connections have not retired.
    long connections() {
        return server.counts().get("connections");
    }

    /// How many had not when the last upload's scope ended.
    long connectionsAtRetirement() {
        return connectionsAtRetirement.get();
    }

    int port() {
        return server.port();
    }

    void working(Work next) {
        work = next;
    }

    Client connect() throws IOException {
        return new Client(server.port());
    }

    Uploads uploads() {
        return uploads;
    }

    /// Failures that only the log sees, oldest first.
    List<Throwable> logged() {
        return logged;
    }

    /// Waits for the end of one more upload's scope, and says which part files were there at that moment.
    List<Path> awaitRetirement() throws InterruptedException {
        return awaitRetirement(WATCHDOG);
    }

    List<Path> awaitRetirement(Duration watchdog) throws InterruptedException {
        assertThat(retired.tryAcquire(watchdog.toMillis(), TimeUnit.MILLISECONDS))
                .as("the scope of an upload has ended")
                .isTrue();
        var seen = List.copyOf(leftAtRetirement);
        leftAtRetirement.clear();
        return seen;
    }

    /// The files of parts; not the lock files of processes.
    List<Path> partFiles() {
        var files = new ArrayList<Path>();
        try (var processes = Files.newDirectoryStream(directory, Files::isDirectory)) {
            for (var process : processes) {
                try (var parts = Files.newDirectoryStream(process)) {
                    parts.forEach(files::add);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return files;
    }

    /// BASE of cases.md, for what an upload uses.
    void assertBase(long mark) {
        assertThat(Ledger.ofThisJvm().awaitNoneSince(mark, Duration.ofSeconds(2)))
                .as("live: %s", Ledger.ofThisJvm().liveSince(mark))
                .isTrue();
        assertThat(partFiles()).isEmpty();
        assertThat(uploads.counts()).containsEntry("resources_left", 0L).containsEntry("temp_files_left", 0L);
    }

    /// ALIVE of cases.md: a fresh request on a new connection gets 200 within 500 ms.
    void assertAlive() throws IOException {
        var limit = Deadline.in(Duration.ofMillis(500));
        try (var client = connect()) {
            assertThat(client.get("/ok").status()).isEqualTo(200);
        }
        assertThat(limit.passed()).as("answered within 500 ms").isFalse();
    }

    @Override
    public void close() {
        host.close();
    }
}
