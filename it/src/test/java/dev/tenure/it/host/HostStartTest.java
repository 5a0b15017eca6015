package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Threads;
import dev.tenure.host.Component;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.HostStopping;
import dev.tenure.host.Part;
import dev.tenure.host.Phase;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.Stop;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class HostStartTest {
    private final Trail trail = new Trail();

    @Test
    void own_partThatThrows_rollsBackInReverse_primaryKept() {
        var host = Host.named("start").signals(false).start();
        host.own(closing("a"));
        host.own(FakePart.named("b").on(DISPOSE_DEPENDENCIES, _ -> {
            trail.add("b");
            throw new IOException("b would not close");
        }));
        host.own(closing("c"));
        Part<FakePart> bad = _ -> {
            throw new IllegalStateException("no disk");
        };

        assertThatThrownBy(() -> host.own(bad))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no disk")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("b would not close"));

        trail.mustBe("c", "b", "a");
        var report = host.stopAndWait();
        assertThat(report.completion()).isEqualTo(Completion.FAILED);
        assertThat(report.trigger()).isEqualTo("a failed start: java.lang.IllegalStateException: no disk");
        host.close();
    }

    @Test
    void own_checkedFailure_isWrapped_withItsCause() {
        var host = Host.named("start").signals(false).start();
        Part<FakePart> bad = _ -> {
            throw new BindException("Address already in use");
        };

        assertThatThrownBy(() -> host.own(bad))
                .hasMessageContaining("host 'start'")
                .hasMessageContaining("Address already in use")
                .hasCauseInstanceOf(BindException.class);
    }

    @Test
    void own_nestedPartThatThrows_rollsBackOnce() {
        var host = Host.named("nested").signals(false).start();
        host.own(closing("a"));
        Part<FakePart> bad = _ -> {
            throw new IllegalStateException("inner");
        };
        Part<FakePart> outer = inside -> inside.own(bad);

        assertThatThrownBy(() -> host.own(outer)).hasMessage("inner");

        trail.mustBe("a");
    }

    @Test
    void stop_duringAStep_waitsForItAndStopsWhatItOpened() {
        var opening = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var refused = new AtomicReference<HostStopping>();
        var host = Host.named("during").signals(false).start();
        Part<FakePart> slow = _ -> {
            opening.countDown();
            goOn.await();
            trail.add("opened");
            return closing("slow");
        };
        var main = Threads.system().startPlatform("test-main", () -> {
            host.own(slow);
            try {
                host.own(closing("never"));
            } catch (HostStopping stopping) {
                refused.set(stopping);
            }
        });
        await(opening);
        host.stop();
        goOn.countDown();

        assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);

        join(main);
        trail.mustBe("opened", "slow");
        assertThat(refused.get()).hasMessageContaining("was refused: it stops, by host.stop()");
    }

    @Test
    void stop_stepThatOutlastsTheBudget_isNamed_andRetiresItselfWhenItEnds() {
        var opening = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var refused = new AtomicReference<HostStopping>();
        var host = Host.named("outlasts")
                .signals(false)
                .stopBudget(Duration.ofMillis(100))
                .start();
        Part<FakePart> slow = _ -> {
            opening.countDown();
            goOn.await();
            return closing("slow");
        };
        var main = Threads.system().startPlatform("test-main", () -> {
            try {
                host.own(slow);
            } catch (HostStopping stopping) {
                refused.set(stopping);
            }
        });
        await(opening);

        var report = host.stopAndWait();
        assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
        assertThat(report.toText())
                .contains("still running  start  in part dev.tenure.it.host.HostStartTest")
                .contains("HostStartTest.java");
        assertThat(trail.events()).isEmpty();
        goOn.countDown();
        join(main);

        trail.mustBe("slow");
        assertThat(refused.get()).isNotNull();
    }

    @Test
    void own_componentThatCannotSayWhatItIs_endsAtOnce() {
        var host = Host.named("broken").signals(false).start();
        host.own(closing("a"));
        var broken = closing("broken").brokenUses();

        assertThatThrownBy(() -> host.own(broken)).hasMessage("uses: unknown");

        trail.mustBe("broken", "a");
    }

    /// A real server whose close fails when it is done.
    private record FailsToClose(HttpServer server) implements Component {
        @Override
        public String name() {
            return server.name();
        }

        @Override
        public Set<Phase> phases() {
            return server.phases();
        }

        @Override
        public void enter(Phase phase, Stop stop) throws Exception {
            server.enter(phase, stop);
            if (phase == DRAIN_IN_FLIGHT) {
                throw new IOException("the listener's close failed");
            }
        }

        @Override
        public void force(Stop stop) {
            server.force(stop);
        }
    }

    @Test
    void C058_startFailsAfterTheServerIsBound_andItsCloseThrowsToo() throws Exception {
        var observed = new CopyOnWriteArrayList<String>();
        var host = Host.named("C058").signals(false).start();
        var port = new AtomicReference<Integer>();
        Part<FailsToClose> listener = owner -> {
            var server = HttpServer.on(0)
                    .routes(routes -> routes.get("/", _ -> Response.ok().text("up")))
                    .open(owner);
            port.set(server.port());
            return new FailsToClose(server);
        };
        Part<FakePart> scheduler = _ -> {
            observed.add(get(port.get()));
            throw new IllegalStateException("the scheduler failed");
        };
        host.own(listener);

        assertThatThrownBy(() -> host.own(scheduler))
                .hasMessage("the scheduler failed")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("the listener's close failed"));

        assertThat(observed).as("it was bound and served").containsExactly("HTTP/1.1 200 OK");
        assertThatThrownBy(() -> get(port.get())).isInstanceOf(ConnectException.class);
        var report = host.stopAndWait();
        assertThat(report.completion()).isEqualTo(Completion.FAILED);
        assertThat(report.component("http").orElseThrow().failures().getFirst())
                .contains("the listener's close failed");
        try (var again = new ServerSocket(port.get(), 1, InetAddress.getLoopbackAddress())) {
            assertThat(again.isBound()).as("the port is free").isTrue();
        }
    }

    private static String get(int port) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
            var answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
            return answer.substring(0, answer.indexOf("\r\n"));
        }
    }

    @Test
    void builder_badSettings_areRefusedWithKeyValueAndRange() {
        assertThatThrownBy(() -> Host.named(" "))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("name: ' ' (expected: a text that is not blank)");
        assertThatThrownBy(() -> Host.named("x").stopBudget(Duration.ZERO))
                .hasMessage("stopBudget: 0 s (expected: 100 ms to 24 h)");
        assertThatThrownBy(() -> Host.named("x").stopBudget(Duration.ofSeconds(-5)))
                .hasMessage("stopBudget: -5 s (expected: 100 ms to 24 h)");
        assertThatThrownBy(() -> Host.named("x").stopBudget(Duration.ofHours(24).plusMillis(1)))
                .hasMessage("stopBudget: 86400001 ms (expected: 100 ms to 24 h)");
        assertThatThrownBy(() -> Host.named("x").gateAge(Duration.ZERO)).hasMessage("gateAge: 0 s (expected: > 0)");
        assertThatThrownBy(() -> Host.named("x").readinessDelay(Duration.ofSeconds(-1)))
                .hasMessage("readinessDelay: -1 s (expected: >= 0)");
        assertThatThrownBy(() ->
                        Host.named("x").readinessDelay(Duration.ofSeconds(23)).start())
                .hasMessage("readinessDelay: 23 s (expected: < 23 s, the stop budget without its force reserve)");
    }

    /// Who kills earlier than a stop may take kills it without a report.
    @Test
    void platformGrace_tooShort_isWarnedOfAtStart() {
        assertThat(warnings(Duration.ofSeconds(26))).isEmpty();
        assertThat(warnings(Duration.ofMillis(25_999)))
                .containsExactly("host 'x': a stop may take 26 s (stop budget 25 s, of which readiness delay 5 s, and"
                        + " 1 s to exit), but the platform kills after 25999 ms: it would be killed without a report;"
                        + " lower stopBudget to 24999 ms, or raise the platform's grace");
        assertThatThrownBy(() -> Host.named("x").platformGrace(Duration.ZERO))
                .hasMessage("platformGrace: 0 s (expected: > 0)");
    }

    private static List<String> warnings(Duration grace) {
        var warnings = new ArrayList<String>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord warning) {
                warnings.add(warning.getLevel().equals(Level.WARNING) ? warning.getMessage() : "not a warning");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        var logger = Logger.getLogger("dev.tenure.host");
        logger.addHandler(handler);
        try (var host = Host.named("x")
                .signals(false)
                .readinessDelay(Duration.ofSeconds(5))
                .platformGrace(grace)
                .start()) {
            host.force(); // no need to wait for the delay
            return List.copyOf(warnings);
        } finally {
            logger.removeHandler(handler);
        }
    }

    private FakePart closing(String name) {
        return FakePart.named(name).on(DISPOSE_DEPENDENCIES, _ -> trail.add(name));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
