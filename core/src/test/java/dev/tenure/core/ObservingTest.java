package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.user.Opener;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;

/// What can be seen of owners: carried contexts, traces, leaks, dumps and flight recordings.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class ObservingTest extends CoreTest {
    /// Ten lines over any logging façade: core knows nothing of it.
    private static final ContextCarrier MDC_CARRIER = () -> {
        Map<String, String> picture = MDC.getCopyOfContextMap();
        return () -> {
            if (picture != null) {
                MDC.setContextMap(picture);
            }
            return MDC::clear;
        };
    };

    // carriers

    @Test
    void carrier_takesTheLoggingContextToTasksAndTheirTasks() throws Exception {
        var options = Supervisor.Options.DEFAULT.carrying(MDC_CARRIER);
        try (var scope = Scope.open("s", options);
                var _ = MDC.putCloseable("request", "42")) {
            var inner = scope.fork(
                    "t",
                    () -> MDC.get("request")
                            + Scope.current()
                                    .fork("inner", () -> MDC.get("request"))
                                    .get());
            assertThat(inner.get()).isEqualTo("4242");
        }
        try (var supervisor = Supervisor.open("s")) {
            assertThat(String.valueOf(supervisor
                            .fork("t", () -> MDC.get("request") == null)
                            .get()))
                    .isEqualTo("true");
        }
    }

    @Test
    void carrierThatFailsInTheTask_failsTheTask_andTakesOutWhatWasInstalled() {
        ContextCarrier good = () -> () -> {
            trail.add("in");
            return () -> trail.add("out");
        };
        ContextCarrier bad = () -> () -> {
            throw new IllegalStateException("no context");
        };
        try (var supervisor =
                Supervisor.open("s", Supervisor.Options.DEFAULT.carrying(good).carrying(bad))) {
            var task = supervisor.fork("t", () -> trail.add("body"));
            assertThat(task.join())
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.primary()).hasMessage("no context"));
        }
        assertThat(trail).containsExactly("in", "out");
    }

    @Test
    void carrierThatFailsAtTheFork_failsTheFork() {
        ContextCarrier bad = () -> {
            throw new IllegalStateException("no picture");
        };
        try (var scope = Scope.open("s", Supervisor.Options.DEFAULT.carrying(bad))) {
            assertThatThrownBy(() -> scope.fork("t", () -> "")).hasMessage("no picture");
        }
    }

    // tracing

    @Test
    void sites_showWhereAndSinceWhen() {
        try (var scope = Scope.open("s", Supervisor.Options.DEFAULT.with(Tracing.sites()))) {
            var handle = Opener.ownHere(scope, thing);
            assertThat(handle.toString()).matches("thing HELD, \\d+ ms old, from .*Opener.ownHere.*");
            try (var inner = Scope.open("inner")) {
                Opener.ownHere(inner, thing);
                assertThat(inner.dump()).contains("Opener.java");
            }
        }
        try (var scope = Scope.open("plain")) {
            assertThat(scope.own(thing, "x").toString()).isEqualTo("thing HELD");
        }
    }

    @Test
    void leaks_aScopeThatNobodyClosed_isReportedWithWhatItHeld() throws Exception {
        var leaks = new CopyOnWriteArrayList<Tracing.Leak>();
        var options = Supervisor.Options.DEFAULT.with(Tracing.off().leaks(1)).with(new Observer() {
            @Override
            public void leaked(Tracing.Leak leak) {
                leaks.add(leak);
            }
        });
        Thread.ofPlatform()
                .name("leaker")
                .start(() -> Opener.leakHere(options, thing))
                .join();
        Gates.reset();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (leaks.isEmpty() && System.nanoTime() < end) {
            System.gc();
            Scope.open("next", options).close();
        }
        assertThat(leaks).hasSize(1);
        var leak = leaks.getFirst();
        assertThat(leak.scope()).isEqualTo("leaked");
        assertThat(leak.thread()).isEqualTo("leaker");
        assertThat(leak.held()).isEqualTo(Map.of("thing", 2));
        assertThat(leak.opened().getFirst().getMethodName()).isEqualTo("leakHere");
    }

    @Test
    void leaks_samplesNeedAtLeastOne() {
        assertThatThrownBy(() -> Tracing.off().leaks(0)).hasMessage("oneIn: 0 (expected: >= 1)");
    }

    // dumps

    @Test
    void dump_showsTheTreeAsTextAndJson() {
        var in = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("super \"quoted\"");
                var scope = Scope.open("s")) {
            scope.own(thing, "x");
            var inside = ResourceType.<String>of("inside", _ -> {});
            scope.fork("t", () -> {
                Scope.current().own(inside, "y");
                in.countDown();
                await(let);
                return "";
            });
            supervisor.own(thing, "z");
            await(in);
            assertThat(scope.dump().lines())
                    .anyMatch(line -> line.startsWith("scope s OPEN"))
                    .anyMatch(line -> line.startsWith("  task t RUNNING"))
                    .anyMatch("      inside HELD"::equals)
                    .anyMatch("  thing HELD"::equals);
            assertThat(scope.dumpJson())
                    .startsWith("{\"kind\":\"scope\",\"name\":\"s\",\"state\":\"OPEN\",\"owns\":[{\"kind\":\"task\"")
                    .endsWith("{\"kind\":\"value\",\"name\":\"thing\",\"state\":\"HELD\"}]}");
            assertThat(supervisor.dumpJson())
                    .isEqualTo("{\"kind\":\"supervisor\",\"name\":\"super \\\"quoted\\\"\",\"state\":\"OPEN\",\"owns\":"
                            + "[{\"kind\":\"value\",\"name\":\"thing\",\"state\":\"HELD\"}]}");
            assertThat(supervisor.dump()).isEqualTo("supervisor super \"quoted\" OPEN\n  thing HELD\n");
            let.countDown();
        }
    }

    // flight recorder

    private static void overdue() {
        var let = new CountDownLatch(1);
        var told = new CountDownLatch(1);
        var in = new CountDownLatch(1);
        var options = Supervisor.Options.DEFAULT.with(new Observer() {
            @Override
            public void overdue(CloseReport report) {
                told.countDown();
            }
        });
        try (var around = Scope.open("around", options)) {
            var slow = Scope.open("slow");
            slow.fork(
                    "t",
                    () -> Scope.shielded(() -> {
                        in.countDown();
                        await(let);
                        return "";
                    }));
            await(in);
            slow.close(Deadline.in(Duration.ofMillis(2)));
            await(told);
            let.countDown();
            around.awaitTasks();
        }
    }

    @Test
    void flightRecorder_seesEveryTransition(@TempDir Path folder) throws Exception {
        var file = folder.resolve("tenure.jfr");
        try (var recording = new Recording()) {
            recording.enable("dev.tenure.*");
            for (var event : List.of("Acquire", "Move", "Release", "Cancel", "Close", "Overdue")) {
                recording.enable("dev.tenure." + event);
            }
            recording.start();
            try (var supervisor = Supervisor.open("super")) {
                try (var scope = Scope.open("recorded")) {
                    var _ = scope.own(thing, "x").moveTo(supervisor);
                    scope.canceller().cancel(request());
                }
                overdue();
            }
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertThat(events)
                .extracting(event -> event.getEventType().getName().replace("dev.tenure.", ""))
                .contains("Acquire", "Move", "Release", "Cancel", "Close", "Overdue");
        assertThat(events)
                .filteredOn(event -> event.getEventType().getName().endsWith("Move"))
                .allSatisfy(event -> {
                    assertThat(event.getString("what")).isEqualTo("thing");
                    assertThat(event.getString("owner")).startsWith("supervisor super");
                    assertThat(event.getString("event")).isEqualTo("move");
                });
    }
}
