package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.host.Component;
import dev.tenure.host.Host;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import dev.tenure.http.internal.netty.NettyServer;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class StopTest {
    private static final Duration IDLE_MAX = Duration.ofMillis(50);
    private final Trail trail = new Trail();

    /// Swallows every interrupt until it is let go.
    private static final class Stuck {
        private final AtomicBoolean go = new AtomicBoolean();
        private final Trail trail;

        Stuck(Trail trail) {
            this.trail = trail;
        }

        Response spinAndSwallow(Exchange exchange) {
            trail.add("stuck");
            while (!go.get()) {
                Thread.interrupted();
                LockSupport.parkNanos(1_000_000);
            }
            return Response.ok().text("a success that came too late");
        }
    }

    @Test
    void stop_idleAndWarm_takesAtMost50ms() throws Exception {
        var fastest = Duration.ofDays(1);
        for (int round = 0; round < 5; round++) {
            try (var server = TestServer.serving(
                    routes -> routes.get("/", _ -> Response.ok().text("x")))) {
                warm(server);
                var report = server.stop();
                assertThat(report.exitCode()).as(report.toText()).isZero();
                fastest = fastest.compareTo(report.elapsed()) < 0 ? fastest : report.elapsed();
            }
        }
        assertThat(fastest).isLessThanOrEqualTo(IDLE_MAX);
    }

    private static void warm(TestServer server) throws Exception {
        try (var client = server.connect()) {
            for (int i = 0; i < 100; i++) {
                client.get("/");
            }
        }
    }

    @Test
    void stuckHandler_isNamed_othersAreAnswered_andItsSuccessGoesNowhere() throws Exception {
        var stuck = new Stuck(trail);
        var server = TestServer.of(
                Duration.ofMillis(1_500),
                builder -> builder.routes(routes -> routes.get("/stuck/{id}", stuck::spinAndSwallow)
                        .get("/plain", _ -> Response.ok().text("plain"))));
        try (server;
                var client = server.connect();
                var other = server.connect()) {
            client.send(request("GET", "/stuck/1"));
            trail.await("stuck");
            var stop = server.host().stopAsync().toCompletableFuture();
            assertThat(other.get("/plain").text()).isEqualTo("plain");
            var answer = client.read();
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).isEqualTo("503 the server is stopping\n");
            assertThat(answer.closes()).isTrue();
            var report = stop.get();
            assertThat(report.exitCode()).as(report.toText()).isEqualTo(72);
            assertThat(report.elapsed()).isLessThan(Duration.ofMillis(1_800));
            assertThat(report.toText())
                    .contains("GET /stuck/{id}", "StopTest.Stuck.spinAndSwallow")
                    .contains("at dev.tenure.http.StopTest$Stuck.spinAndSwallow");
            assertThat(server.count("retained")).isOne();
            assertThat(client.isEnded()).isTrue();
        } finally {
            stuck.go.set(true);
        }
    }

    @Test
    void forced_successIsRecordedAsLate() throws Exception {
        var go = new CountDownLatch(1);
        try (var server = TestServer.of(
                        Duration.ofMillis(1_500),
                        builder -> builder.routes(routes -> routes.get("/", _ -> {
                            trail.add("working");
                            try {
                                go.await();
                            } catch (InterruptedException e) {
                                trail.add("told");
                            }
                            return Response.ok().text("success");
                        })));
                var client = server.connect()) {
            client.send(request("GET", "/"));
            trail.await("working");
            var report = server.stop();
            assertThat(client.read().status()).isEqualTo(503);
            trail.mustBe("working", "told");
            assertThat(server.count("cancelled_late")).isOne();
            assertThat(server.count("cancelled")).isOne();
            assertThat(report.exitCode()).as(report.toText()).isNotZero();
        }
    }

    @Test
    void stop_requestedByAHandler_deliversItsAnswer_andABlockingOneIsRefused() throws Exception {
        var host = new AtomicReference<Host>();
        try (var server = TestServer.serving(routes -> routes.get("/stop", _ -> {
                    host.get().stop();
                    return Response.ok().text("stopping");
                })
                .get("/block", _ -> {
                    host.get().stopAndWait();
                    return Response.ok().text("never");
                }))) {
            host.set(server.host());
            try (var client = server.connect()) {
                assertThat(client.get("/block").status()).isEqualTo(500);
                assertThat(server.failures())
                        .singleElement()
                        .satisfies(failure -> assertThat(failure).hasRootCauseInstanceOf(IllegalStateException.class));
                assertThat(server.host().isStopping()).isFalse();
                assertThat(client.get("/stop").text()).isEqualTo("stopping");
            }
            assertThat(server.host().awaitStop().exitCode()).isZero();
        }
    }

    @Test
    void acceptQueue_isTakenAndServed() throws Exception {
        try (var server = TestServer.of(builder -> builder.eventLoops(1)
                .routes(routes -> routes.get("/", _ -> Response.ok().text("x"))))) {
            var netty = server.server().netty();
            var hold = new CountDownLatch(1);
            netty.announce();
            netty.onListenerLoop(() -> {
                trail.add("held");
                await(hold);
            });
            trail.await("held");
            try (var queued = server.connect();
                    var alsoQueued = server.connect()) {
                queued.send(request("GET", "/"));
                alsoQueued.send(request("GET", "/"));
                var sealing = Thread.ofPlatform().start(() -> seal(netty));
                while (sealing.getState() != Thread.State.WAITING) {
                    LockSupport.parkNanos(1_000_000);
                }
                hold.countDown();
                sealing.join();
                for (var client : new RawClient[] {queued, alsoQueued}) {
                    var answer = client.read();
                    assertThat(answer.status()).isEqualTo(200);
                    assertThat(answer.closes()).isTrue();
                }
                assertThat(server.stop().exitCode()).isZero();
            }
            assertThat(server.count("queued_served")).isEqualTo(2);
        }
    }

    private static void seal(NettyServer netty) {
        try {
            netty.seal(Deadline::none);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Holds the stop up before the server is told of it.
    private record Held(CountDownLatch entered, CountDownLatch go) implements Component {
        @Override
        public String name() {
            return "held";
        }

        @Override
        public Set<Phase> phases() {
            return Set.of(Phase.READINESS_DOWN);
        }

        @Override
        public void enter(Phase phase, Stop stop) throws InterruptedException {
            entered.countDown();
            go.await();
        }
    }

    @Test
    void stopAskedFor_isAnnouncedByTheNextAnswer_beforeAnyStepCame() throws Exception {
        var held = new Held(new CountDownLatch(1), new CountDownLatch(1));
        try (var server = TestServer.serving(
                        routes -> routes.get("/", _ -> Response.ok().text("x")));
                var client = server.connect()) {
            server.host().own(_ -> held);
            client.send(request("GET", "/"));
            assertThat(client.read().closes()).isFalse();
            server.host().stop();
            held.entered().await();
            client.send(request("GET", "/"));
            assertThat(client.read().closes()).isTrue();
            held.go().countDown();
        }
    }
}
