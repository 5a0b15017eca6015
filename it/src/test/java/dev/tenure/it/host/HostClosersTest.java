package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.host.BackgroundCancellation;
import dev.tenure.host.BackgroundService;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.HostMain;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class HostClosersTest {
    private final Trail trail = new Trail();

    @Test
    @SuppressWarnings("try") // a close while others stop is what this is about
    void fiftyClosers_shareOneReport() throws Exception {
        var reports = Collections.synchronizedMap(new IdentityHashMap<ShutdownReport, String>());
        var barrier = new CyclicBarrier(50);
        try (var host = Host.named("fifty").signals(false).start()) {
            host.own(FakePart.named("a").on(DISPOSE_DEPENDENCIES, _ -> trail.add("disposed")));
            var closers = new ArrayList<Thread>();
            for (var number = 0; number < 50; number++) {
                var kind = number % 3;
                closers.add(Threads.system().startPlatform("closer", () -> {
                    arrive(barrier);
                    reports.put(
                            switch (kind) {
                                case 0 -> host.stopAndWait();
                                case 1 -> host.awaitStop();
                                default ->
                                    host.stopAsync().toCompletableFuture().join();
                            },
                            "");
                    host.close();
                }));
            }
            for (var closer : closers) {
                closer.join();
            }
        }
        assertThat(reports).hasSize(1);
        trail.mustBe("disposed");
    }

    @Test
    void awaitStop_interrupted_endsThatWaitAlone() throws Exception {
        try (var host = Host.named("interrupt").signals(false).start()) {
            var waiter = Threads.system().startPlatform("waiter", () -> {
                try {
                    host.awaitStop();
                } catch (Cancelled cancelled) {
                    trail.add("interrupted " + Thread.currentThread().isInterrupted());
                }
            });
            waiter.interrupt();
            waiter.join();

            trail.mustBe("interrupted true");
            assertThat(host.isStopping()).isFalse();
            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        }
    }

    @Test
    void stopWhen_stageCompletes_stops() {
        var signal = new CompletableFuture<String>();
        try (var host = Host.named("enclosed").signals(false).start()) {
            host.stopWhen(signal);
            signal.complete("now");

            assertThat(host.awaitStop().trigger()).isEqualTo("the application");
        }
    }

    @Test
    void blockingStop_fromAHook_anActivity_aCleanupOrATask_isRefusedAtOnce() {
        try (var host = Host.named("refuse").signals(false).start();
                var tasks = Supervisor.open("tasks", host.supervised())) {
            host.own(FakePart.named("hook").on(DRAIN_IN_FLIGHT, _ -> refused(host, "DRAIN_IN_FLIGHT of 'hook'")));
            host.cleanup("process", () -> refused(host, "DISPOSE_DEPENDENCIES of 'process'"));
            host.activity("GET /x", activity -> {
                activity.cleanup("c", () -> refused(host, "cleanup 'c' of activity 'GET /x'"));
                refused(host, "activity 'GET /x'");
                return "";
            });
            tasks.fork("work", () -> {
                        refused(host, "task 'work'");
                        return "";
                    })
                    .join();
            assertThat(trail.events()).hasSize(3);
            assertThat(host.isStopping()).isFalse();
            host.stopAndWait();
        }
        assertThat(trail.events()).hasSize(5).allMatch("refused"::equals);
    }

    private void refused(Host host, String where) {
        assertThatThrownBy(host::stopAndWait)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("host 'refuse': stopAndWait() was called from %s, which the stop itself waits for: "
                                .formatted(where)
                        + "call stop(), which does not wait, and return");
        assertThatThrownBy(host::awaitStop).hasMessageContaining(where);
        assertThatThrownBy(host::close).hasMessageContaining(where);
        trail.add("refused");
    }

    @Test
    void background_isToldAtTheDrain_andJoined() {
        try (var host = Host.named("background").signals(false).start()) {
            var database = host.own(FakePart.named("database").on(DISPOSE_DEPENDENCIES, _ -> trail.add("disposed")));
            assertThat(database).isNotNull();
            host.background(new Poller(trail));
            assertThatThrownBy(() -> host.background(new Poller(trail)))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessage("background: Poller (expected: one service of each type)");
            trail.await("polling");

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
            assertThat(report.component("service 'Poller'").orElseThrow().outcome())
                    .isEqualTo(Outcome.COMPLETED);
        }
        trail.mustBe("polling", "told by host.stop()", "disposed");
    }

    private record Poller(Trail trail) implements BackgroundService {
        @Override
        public String name() {
            return "Poller";
        }

        @Override
        public void run(BackgroundCancellation stopping) {
            trail.add("polling");
            while (!stopping.await(Duration.ofHours(1))) {
                trail.add("round");
            }
            trail.add("told by " + stopping.reason().orElseThrow().by());
        }
    }

    @Test
    void background_thatFails_stopsTheHost() {
        try (var host = Host.named("fails").signals(false).start()) {
            host.background(_ -> {
                throw new IllegalStateException("no more");
            });

            var report = host.awaitStop();

            assertThat(report.completion()).isEqualTo(Completion.FAILED);
            assertThat(report.exitCode()).isEqualTo(70);
            assertThat(report.trigger()).endsWith("failed: java.lang.IllegalStateException: no more");
        }
    }

    @Test
    void background_thatReturns_isFine() {
        var clock = new FakeClock();
        try (var host = Host.named("oneshot").signals(false).timeSource(clock).start()) {
            host.background(_ -> trail.add("done"));
            trail.await("done");

            assertThat(host.isStopping()).isFalse();
            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        }
    }

    @Test
    void background_thatIgnoresTheStop_isNamed() {
        var letGo = new CountDownLatch(1);
        try (var host = Host.named("deaf")
                .signals(false)
                .stopBudget(Duration.ofMillis(200))
                .start()) {
            host.background(_ -> {
                trail.add("deaf");
                ignoreInterrupts(letGo);
            });
            trail.await("deaf");

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
            assertThat(report.toText()).contains("still running").contains("ignoreInterrupts");
            letGo.countDown();
        } finally {
            letGo.countDown();
        }
    }

    private static void ignoreInterrupts(CountDownLatch letGo) {
        while (true) {
            try {
                letGo.await();
                return;
            } catch (InterruptedException _) {
                // deaf on purpose
            }
        }
    }

    @Test
    void exitCode_tellsTheEndsApart() {
        assertThat(Host.exitCode(() -> run(_ -> {}))).isZero();
        assertThat(Host.exitCode(() -> {
                    throw ConfigurationError.of("port", 70_000, "0 to 65535");
                }))
                .isEqualTo(2);
        assertThat(Host.exitCode(() -> {
                    throw new IllegalStateException("broken");
                }))
                .isEqualTo(70);
        assertThat(Host.exitCode(() ->
                        run(host -> host.own(FakePart.named("bad").on(DISPOSE_DEPENDENCIES, _ -> {
                            throw new IllegalStateException("bad");
                        })))))
                .isEqualTo(70);
        var cancelled = new CountDownLatch(1);
        assertThat(Host.exitCode(() -> run(host -> {
                    host.own(FakePart.named("busy")
                            .on(DRAIN_IN_FLIGHT, _ -> cancelled.await())
                            .onForce(_ -> cancelled.countDown()));
                    host.force();
                })))
                .isEqualTo(71);
        var letGo = new CountDownLatch(1);
        assertThat(Host.exitCode(() -> run(host -> {
                    host.own(FakePart.named("hung").on(DRAIN_IN_FLIGHT, _ -> letGo.await()));
                    host.force();
                })))
                .isEqualTo(72);
        letGo.countDown();
        assertThat(Host.exitCode(stoppedDuringStart()))
                .as("refused, by a graceful stop")
                .isZero();
    }

    private static HostMain stoppedDuringStart() {
        return () -> run(host -> {
            host.stop();
            host.own(FakePart.named("late"));
        });
    }

    private static ShutdownReport run(java.util.function.Consumer<Host> body) {
        try (var host = Host.named("main").signals(false).start()) {
            body.accept(host);
            host.stop();
            return host.awaitStop();
        }
    }

    private static void arrive(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
