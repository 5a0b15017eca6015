package dev.tenure.http;

import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.testkit.FakeClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/// A host with one server, for a test.
final class TestServer implements AutoCloseable {
    private static final long RING_NANOS = 2_000_000;
    private final Host host;
    private final HttpServer server;
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    private TestServer(UnaryOperator<dev.tenure.host.HostBuilder> hosted, UnaryOperator<HttpServerBuilder> built) {
        var observer = new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                failures.add(new IllegalStateException(owner, failure));
            }
        };
        host = hosted.apply(Host.named("test").signals(false).observer(observer))
                .start();
        server = host.own(built.apply(HttpServer.on(0)));
        host.ready();
    }

    static TestServer serving(RouteSource routes) {
        return of(builder -> builder.routes(routes));
    }

    static TestServer of(UnaryOperator<HttpServerBuilder> built) {
        return new TestServer(host -> host.stopBudget(Duration.ofSeconds(5)), built);
    }

    static TestServer of(Duration budget, UnaryOperator<HttpServerBuilder> built) {
        return new TestServer(host -> host.stopBudget(budget), built);
    }

    /// On a clock that stands still but for [#advance]. What is armed when it is due already rings at once, as it
    /// does on a real clock.
    static TestServer of(FakeClock clock, UnaryOperator<HttpServerBuilder> built) {
        var server = new TestServer(host -> host.timeSource(clock).timers(clock), built);
        Thread.ofPlatform().daemon().start(() -> {
            while (!server.closed) {
                server.advance(Duration.ZERO);
                LockSupport.parkNanos(RING_NANOS);
            }
        });
        return server;
    }

    /// Moves the clock.
    synchronized void advance(Duration time) {
        ((FakeClock) host.timeSource()).advance(time);
    }

    Host host() {
        return host;
    }

    HttpServer server() {
        return server;
    }

    RawClient connect() throws IOException {
        return new RawClient(server.port());
    }

    long count(String name) {
        return server.counts().get(name);
    }

    /// Waits until a count has reached a value, for at most 10 s.
    void await(String name, long value) {
        var limit = Deadline.in(Duration.ofSeconds(10));
        while (count(name) < value) {
            if (limit.passed()) {
                throw new AssertionError("%s: %d after 10 s (expected: %d)".formatted(name, count(name), value));
            }
            LockSupport.parkNanos(RING_NANOS);
        }
    }

    List<Throwable> failures() {
        return failures;
    }

    ShutdownReport stop() {
        return host.stopAndWait();
    }

    /// Also where a test failed and its clock stands still: then nothing is waited for.
    @Override
    public void close() {
        if (host.timeSource() instanceof FakeClock) {
            host.stop();
            host.force();
        }
        host.close();
        closed = true;
    }
}
