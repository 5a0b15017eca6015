package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.ChildJvm.Signal;
import dev.tenure.testkit.LeakCheck;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A handler that swallows interrupts, in a method whose name is chosen now.
@ExtendWith(LeakCheck.class)
@Timeout(60)
class HostStuckTest {
    private static final long BUDGET_MILLIS = 1_000;

    /// The bar: a stop that cannot end is over 50 ms after its budget. On cores that others use too, a run may be late
    /// by
    /// what the scheduler takes: the best of a few meets the bar, and none may be late by more than the watchdog.
    private static final long OVERSHOOT_MAX = 50;

    private static final int RUNS = 3;

    @TempDir
    Path directory;

    /// One run, in a child JVM.
    @FunctionalInterface
    private interface Run {
        long elapsedMillis() throws Exception;
    }

    private static void assertBestMeetsTheBar(String what, Run run) throws Exception {
        var best = Long.MAX_VALUE;
        for (var number = 1; number <= RUNS && best > BUDGET_MILLIS + OVERSHOOT_MAX; number++) {
            best = Math.min(best, run.elapsedMillis());
        }
        assertThat(best).as("%s, best of at most %d", what, RUNS).isLessThanOrEqualTo(BUDGET_MILLIS + OVERSHOOT_MAX);
    }

    @Test
    void stuckHandler_isNamedWithItsStack_othersAreAnswered_andTheCodeTells() throws Exception {
        assertBestMeetsTheBar("stuck", this::stuck);
    }

    private long stuck() throws Exception {
        var method = "m" + Long.toUnsignedString(new SplittableRandom().nextLong(), 36);
        var json = directory.resolve("report.json");
        try (var child = ChildJvm.start(StuckProgram.class, method, String.valueOf(BUDGET_MILLIS), json.toString());
                var client = HttpClient.newHttpClient()) {
            var port = Integer.parseInt(child.awaitLine("port ").substring(5));
            var stuck = send(client, port, "/stuck");
            child.awaitLine("in stuck");
            assertThat(send(client, port, "/plain").get().statusCode()).isEqualTo(200);
            var slow = send(client, port, "/slow");
            child.awaitLine("in slow");

            child.signal(Signal.TERM);

            assertThat(slow.get().statusCode()).as("a request in flight").isEqualTo(200);
            assertThat(child.awaitExit()).isEqualTo(72);
            assertThat(stuck)
                    .as("never answered with success")
                    .satisfiesAnyOf(
                            answer -> assertThat(answer).isCompletedExceptionally(),
                            answer -> assertThat(answer.get().statusCode()).isEqualTo(503));
            child.awaitLine("interrupt swallowed");
            var elapsed = assertReport(child, method);
            assertThat(Files.readString(json))
                    .contains("\"completion\": \"INCOMPLETE\"", "\"exitCode\": 72", "\"trigger\": \"SIGTERM\"")
                    .contains("\"what\": \"GET /stuck\"", "Made" + method + "." + method)
                    .contains("\"admitted\": 3", "\"completed\": 2", "\"retained\": 1", "\"reconciles\": true");
            return elapsed;
        }
    }

    /// Two handlers that spin leave no virtual thread of a two-processor machine anything to run on.
    @Test
    void spinningHandlers_onEveryProcessor_doNotHoldTheStopUp() throws Exception {
        assertBestMeetsTheBar("spinning", this::spinning);
    }

    private long spinning() throws Exception {
        var json = directory.resolve("report.json");
        var processors = Runtime.getRuntime().availableProcessors();
        try (var child = ChildJvm.start(StuckProgram.class, "unused", "1000", json.toString());
                var client = HttpClient.newHttpClient()) {
            var port = Integer.parseInt(child.awaitLine("port ").substring(5));
            for (var number = 0; number < processors; number++) {
                var _ = send(client, port, "/spin");
            }
            child.awaitLine("in spin");

            child.signal(Signal.TERM);

            assertThat(child.awaitExit()).isEqualTo(72);
            var head = child.awaitLine("err: stuck stopped: INCOMPLETE");
            System.out.println(head);
            assertThat(elapsed(head)).as("on starved processors").isLessThan(BUDGET_MILLIS + 1_000);
            assertThat(child.lines()).anyMatch(line -> line.contains("StuckProgram.spin"));
            return elapsed(head);
        }
    }

    /// An exit waits for the stop, and the stop would wait for the handler that called it.
    @Test
    void C053_handlerThatExits_endsTheJvmWithItsCode() throws Exception {
        var json = directory.resolve("report.json");
        try (var child = ChildJvm.start(StuckProgram.class, "unused", "25000", json.toString());
                var client = HttpClient.newHttpClient()) {
            var port = Integer.parseInt(child.awaitLine("port ").substring(5));

            var _ = send(client, port, "/exit");
            child.awaitLine("exiting");
            var called = System.nanoTime();

            assertThat(child.awaitExit()).isEqualTo(9);
            assertThat(Duration.ofNanos(System.nanoTime() - called)).isLessThan(Duration.ofSeconds(2));
            assertThat(child.lines()).contains("closed resource");
            assertThat(Files.readString(json))
                    .contains("\"trigger\": \"the exit of the JVM\"", "System.exit was called");
        }
    }

    private static long elapsed(String head) {
        return Long.parseLong(head.replaceAll(".* in ([\\d ]+) ms of .*", "$1").replace(" ", ""));
    }

    private static long assertReport(ChildJvm child, String method) {
        var head = child.awaitLine("err: stuck stopped: ");
        System.out.println(head);
        assertThat(head).startsWith("err: stuck stopped: INCOMPLETE in ").endsWith("by SIGTERM, exit code 72");
        assertThat(elapsed(head)).isBetween(BUDGET_MILLIS * 3 / 4, BUDGET_MILLIS + 300);
        var running = child.awaitLine("err:   still running");
        assertThat(running).matches("err: +still running +GET /stuck +in \\S+ +for [\\d.]+ s, cancelled 0\\.\\d s ago");
        assertThat(child.lines())
                .anyMatch(line -> line.matches("err: +at .*Made%s\\.%s.*".formatted(method, method)))
                .anyMatch(line -> line.contains("http (2 of 3)"));
        return elapsed(head);
    }

    private static CompletableFuture<HttpResponse<String>> send(HttpClient client, int port, String path) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }
}
