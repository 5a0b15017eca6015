package dev.tenure.lambda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.lambda.RuntimeApi.Reply;
import dev.tenure.testkit.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A function run by the official runtime interface client, frozen and thawed as the platform does it.
class FreezeTest {
    private static final int MINUTE = 60_000;

    @TempDir
    Path folder;

    private Frozen started(RuntimeApi api, Class<?> function) {
        var process = new Frozen(api, function, "-Dnotes.file=" + folder.resolve("notes.db"));
        api.awaitIdle();
        return process;
    }

    private static Reply invoke(RuntimeApi api, String event) {
        var reply = api.invoke(event, MINUTE);
        api.awaitIdle();
        return reply;
    }

    @Test
    void notes_ofTheGuide_areWrittenAndRead() {
        try (var api = new RuntimeApi();
                var _ = started(api, NotesFunction.class)) {
            var written = invoke(api, Events.text("POST", "/notes/milk", "two litres"));
            assertThat(written.body()).contains("\"statusCode\":201", "\"location\":\"/notes/milk\"");
            assertThat(invoke(api, Events.of("GET", "/notes/milk")).body())
                    .contains("\"statusCode\":200", "\"isBase64Encoded\":false", "\"body\":\"two litres\"");
            assertThat(invoke(api, Events.of("GET", "/notes/none")).body()).contains("\"statusCode\":404");
        }
    }

    @Test
    void malformedEvent_failsTheInvocationByItsType_andTheNextOneWorks() {
        try (var api = new RuntimeApi();
                var _ = started(api, NotesFunction.class)) {
            var failed = invoke(api, "{\"Records\": []}");
            assertThat(failed.isError()).isTrue();
            assertThat(failed.body())
                    .contains("\"errorType\":\"dev.tenure.lambda.MalformedEvent\"")
                    .contains("event: version is missing (expected: an HTTP event of payload");
            assertThat(invoke(api, Events.of("GET", "/notes/none")).body()).contains("\"statusCode\":404");
        }
    }

    @Test
    void backgroundWork_hasLanded_beforeThePlatformHasTheAnswer() {
        try (var api = new RuntimeApi();
                var process = started(api, ProbeFunction.class)) {
            var reply = api.invoke(Events.of("GET", "/background"), MINUTE);
            process.freeze();
            assertThat(reply.body()).contains("answered");
            process.child().awaitLine("landed");
            process.child().awaitLine("cleaned up");
        }
    }

    @Test
    void afterEachInvocation_nothingIsHeld_andAfterTheThawTheNextWorks() {
        try (var api = new RuntimeApi();
                var process = started(api, ProbeFunction.class)) {
            warmUp(api);
            var base = settled(process);
            assertThat(base.descriptors()).noneMatch(to -> to.contains("notes.db"));
            for (int i = 1; i <= 5; i++) {
                assertThat(invoke(api, Events.text("POST", "/notes/n", "text " + i))
                                .body())
                        .contains("\"statusCode\":201");
                process.freeze();
                var held = process.held();
                assertThat(held.descriptors())
                        .as("frozen after invocation %d", i)
                        .isEqualTo(base.descriptors());
                assertThat(held.threads()).filteredOn(name -> !isTimer(name)).isEqualTo(base.threads());
                process.thaw();
                assertThat(settled(process)).isEqualTo(base);
                assertThat(invoke(api, Events.of("GET", "/notes/n")).body()).contains("text " + i);
            }
        }
    }

    private static void warmUp(RuntimeApi api) {
        for (int i = 0; i < 3; i++) {
            invoke(api, Events.text("POST", "/notes/n", "warm"));
            invoke(api, Events.of("GET", "/notes/n"));
            invoke(api, Events.of("GET", "/heap"));
        }
    }

    /// What is held once the timer thread, which ends 50 ms after its last alarm, has gone.
    private static Frozen.Held settled(Frozen process) {
        var limit = Deadline.in(Duration.ofSeconds(10));
        var held = process.held();
        while (held.threads().stream().anyMatch(FreezeTest::isTimer) && !limit.passed()) {
            pass(Duration.ofMillis(10));
            held = process.held();
        }
        return held;
    }

    private static boolean isTimer(String name) {
        return name.startsWith("tenure-timer");
    }

    private static void pass(Duration time) {
        try {
            var _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void deadlineThatPassedWhileFrozen_isSeenAsPassed() {
        try (var api = new RuntimeApi();
                var process = started(api, ProbeFunction.class)) {
            invoke(api, Events.of("GET", "/arm"));
            assertThat(invoke(api, Events.of("GET", "/armed")).body()).contains(": not passed");
            process.freeze();
            pass(Duration.ofMillis(450));
            process.thaw();
            assertThat(invoke(api, Events.of("GET", "/armed")).body()).contains(": passed");
        }
    }

    @Test
    void invocationFrozenPastItsDeadline_isCancelledAtTheThaw_andTheNextWorks() {
        try (var api = new RuntimeApi();
                var process = started(api, ProbeFunction.class)) {
            warmUp(api);
            var base = settled(process);
            api.give(Events.of("GET", "/hang"), 1_500);
            process.child().awaitLine("hangs");
            process.freeze();
            pass(Duration.ofMillis(1_600));
            process.thaw();
            assertThat(api.awaitReply().body()).contains("\"statusCode\":504");
            process.child().awaitLine("released");
            api.awaitIdle();
            assertThat(settled(process)).isEqualTo(base);
            assertThat(invoke(api, Events.of("GET", "/notes/n")).body()).contains("warm");
        }
    }

    @Test
    void processThatIsToldToEnd_stopsItsHost() {
        try (var api = new RuntimeApi();
                var process = started(api, ProbeFunction.class)) {
            invoke(api, Events.text("POST", "/notes/n", "text"));
            process.child().signal(ChildJvm.Signal.TERM);
            process.child().awaitLine("probe stopped: GRACEFUL");
            assertThat(process.child().awaitExit()).isEqualTo(143);
        }
    }

    @Test
    void thousandInvocations_eachWithItsSqlite_keepDescriptorsAndHeapFlat() {
        int count = Boolean.getBoolean("tenure.soak") ? 10_000 : 1_000;
        try (var api = new RuntimeApi();
                var process = started(api, ProbeFunction.class)) {
            warmUp(api);
            notes(api, 200);
            var base = settled(process);
            long heapBefore = heap(api);
            notes(api, count);
            long heapAfter = heap(api);
            assertThat(settled(process)).isEqualTo(base);
            assertThat(heapAfter - heapBefore)
                    .as("heap grew from %d to %d bytes in %d invocations", heapBefore, heapAfter, count)
                    .isLessThan(512 * 1_024);
            System.out.printf(
                    "%d invocations: heap %d to %d KiB, %d descriptors, threads %s%n",
                    count,
                    heapBefore / 1_024,
                    heapAfter / 1_024,
                    base.descriptors().size(),
                    base.threads());
        }
    }

    private static void notes(RuntimeApi api, int count) {
        for (int i = 0; i < count; i++) {
            assertThat(invoke(api, Events.text("POST", "/notes/n" + i % 10, "text"))
                            .body())
                    .contains("\"statusCode\":201");
        }
    }

    private static long heap(RuntimeApi api) {
        var body = invoke(api, Events.of("GET", "/heap")).body();
        return Long.parseLong(body.replaceAll(".*\"body\":\"(\\d+)\".*", "$1"));
    }
}
