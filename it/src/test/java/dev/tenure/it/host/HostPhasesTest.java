package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static dev.tenure.host.Phase.FLUSH_TELEMETRY;
import static dev.tenure.host.Phase.READINESS_DOWN;
import static dev.tenure.host.Phase.STOP_ADMISSION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Holder;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.HostStopping;
import dev.tenure.host.Phase;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class HostPhasesTest {
    private final Trail trail = new Trail();

    @Test
    void stop_sequentialPhases_goInReverseOrderOfRegistration() {
        try (var host = Host.named("order").signals(false).start()) {
            for (var name : List.of("a", "b", "c")) {
                var part = FakePart.named(name);
                for (var phase : List.of(STOP_ADMISSION, DISPOSE_DEPENDENCIES)) {
                    part.on(phase, _ -> trail.add(phase + " " + name));
                }
                host.own(part);
            }

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
        }
        trail.mustBe(
                "STOP_ADMISSION c",
                "STOP_ADMISSION b",
                "STOP_ADMISSION a",
                "DISPOSE_DEPENDENCIES c",
                "DISPOSE_DEPENDENCIES b",
                "DISPOSE_DEPENDENCIES a");
    }

    /// A call that runs is seen by its thread: the next one is started when the one before runs.
    @Test
    void stop_drain_entersInReverseAndAwaitsTogether() {
        var allIn = new CountDownLatch(3);
        try (var host = Host.named("drain")
                .signals(false)
                .threads(new ThreadsOnTrail(trail, "DRAIN_IN_FLIGHT"))
                .start()) {
            for (var name : List.of("a", "b", "c")) {
                host.own(FakePart.named(name).on(DRAIN_IN_FLIGHT, _ -> {
                    allIn.countDown();
                    allIn.await();
                }));
            }

            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        }
        trail.mustBe(
                "start DRAIN_IN_FLIGHT of 'c'",
                "run DRAIN_IN_FLIGHT of 'c'",
                "start DRAIN_IN_FLIGHT of 'b'",
                "run DRAIN_IN_FLIGHT of 'b'",
                "start DRAIN_IN_FLIGHT of 'a'",
                "run DRAIN_IN_FLIGHT of 'a'",
                "start DRAIN_IN_FLIGHT of 'activities'",
                "run DRAIN_IN_FLIGHT of 'activities'");
    }

    @Test
    void stop_phases_comeInTheirOrder() {
        try (var host = Host.named("phases").signals(false).start()) {
            var part = FakePart.named("a");
            for (var phase : Phase.values()) {
                part.on(phase, _ -> trail.add(phase.name()));
            }
            host.own(part);

            var report = host.stopAndWait();

            assertThat(report.phases())
                    .extracting(ShutdownReport.PhaseReport::phase)
                    .containsExactly(Phase.values());
        }
        trail.mustBe("READINESS_DOWN", "STOP_ADMISSION", "DRAIN_IN_FLIGHT", "DISPOSE_DEPENDENCIES", "FLUSH_TELEMETRY");
    }

    @Test
    void stop_dependencyEdge_beatsTheOrderOfRegistration() {
        try (var host = Host.named("edges").signals(false).start()) {
            var pool = FakePart.named("pool").on(DISPOSE_DEPENDENCIES, _ -> trail.add("pool"));
            host.own(FakePart.named("lease")
                    .on(DISPOSE_DEPENDENCIES, _ -> trail.add("lease"))
                    .using(pool));
            host.own(FakePart.named("other").on(DISPOSE_DEPENDENCIES, _ -> trail.add("other")));
            host.own(pool);

            host.stopAndWait();
        }
        trail.mustBe("other", "lease", "pool");
    }

    @Test
    void own_cycle_isAConfigurationErrorThatNamesItInFull() {
        var a = FakePart.named("a").on(DISPOSE_DEPENDENCIES, _ -> trail.add("a"));
        var b = FakePart.named("b")
                .on(DISPOSE_DEPENDENCIES, _ -> trail.add("b"))
                .using(a);
        var c = FakePart.named("c")
                .on(DISPOSE_DEPENDENCIES, _ -> trail.add("c"))
                .using(b);
        a.using(c);
        try (var host = Host.named("cycle").signals(false).start()) {
            host.own(a);
            host.own(b);

            assertThatThrownBy(() -> host.own(c))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessage("uses: a -> c -> b -> a (expected: components that do not use each other in a circle)");
        }
        assertThat(trail.events()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void stop_hookThatThrows_neverStopsTheOthers() {
        try (var host = Host.named("throws").signals(false).start()) {
            host.own(FakePart.named("a").on(DISPOSE_DEPENDENCIES, _ -> trail.add("a")));
            host.own(FakePart.named("b").on(DISPOSE_DEPENDENCIES, _ -> {
                throw new java.io.IOException("disk on fire");
            }));
            host.own(FakePart.named("c").on(STOP_ADMISSION, _ -> {
                throw new AssertionError("broken");
            }));

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(Completion.FAILED);
            assertThat(report.exitCode()).isEqualTo(70);
            assertThat(report.component("a").orElseThrow().outcome()).isEqualTo(Outcome.COMPLETED);
            assertThat(report.component("b").orElseThrow().outcome()).isEqualTo(Outcome.FAILED);
            assertThat(report.component("b").orElseThrow().failures().getFirst())
                    .startsWith("java.io.IOException: disk on fire (at dev.tenure.it.host.HostPhasesTest");
            assertThat(report.component("c").orElseThrow().outcome()).isEqualTo(Outcome.PANICKED);
            assertThat(report.quiescent()).isTrue();
        }
        trail.mustBe("a");
    }

    @Test
    void stop_componentStillHeld_isRetainedWithItsHolder() {
        var holder = new Holder("GET /x", "one lease", Duration.ofSeconds(3), Optional.empty(), List.of());
        try (var host = Host.named("held").signals(false).start()) {
            host.own(FakePart.named("database 'photos'")
                    .on(DISPOSE_DEPENDENCIES, _ -> {})
                    .heldBy(() -> List.of(holder)));

            var report = host.stopAndWait();

            assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
            assertThat(report.toText())
                    .contains("retained       database 'photos': one lease held by GET /x for 3.0 s")
                    .contains("left: 1 resource");
        }
    }

    @Test
    void stop_unprovenUser_keepsWhatItUsesFromBeingDisposed() {
        var holder = new Holder("job 7", "Thumbnails.run", Duration.ofSeconds(3), Optional.empty(), List.of());
        try (var host = Host.named("unproven").signals(false).start()) {
            var database = host.own(FakePart.named("database").on(DISPOSE_DEPENDENCIES, _ -> trail.add("database")));
            host.own(FakePart.named("blobs").on(DISPOSE_DEPENDENCIES, _ -> trail.add("blobs")));
            host.own(FakePart.named("jobs")
                    .on(DRAIN_IN_FLIGHT, _ -> {})
                    .using(database)
                    .heldBy(() -> List.of(holder)));

            var report = host.stopAndWait();

            assertThat(report.component("database").orElseThrow().outcome()).isEqualTo(Outcome.RETAINED);
            assertThat(report.component("database")
                            .orElseThrow()
                            .holders()
                            .getFirst()
                            .what())
                    .isEqualTo("jobs");
            assertThat(report.component("jobs").orElseThrow().outcome()).isEqualTo(Outcome.RETAINED);
            assertThat(report.quiescent()).isFalse();
        }
        trail.mustBe("blobs");
    }

    @Test
    void borrow_isReportedAndNeverClosed() {
        try (var host = Host.named("lent").signals(false).start()) {
            host.borrow("listener :8080");

            var report = host.stopAndWait();

            assertThat(report.component("listener :8080").orElseThrow().outcome())
                    .isEqualTo(Outcome.NOT_OWNED);
            assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
            assertThat(report.toText()).contains("not owned      listener :8080: lent to us, not closed by us");
        }
    }

    @Test
    void readiness_risesOnceAndFallsForEver() {
        try (var host = Host.named("ready").signals(false).start()) {
            assertThat(host.isReady()).isFalse();
            host.ready();
            assertThat(host.isReady()).isTrue();
            var draining = new CountDownLatch(1);
            var goOn = new CountDownLatch(1);
            host.own(FakePart.named("slow").on(DRAIN_IN_FLIGHT, _ -> {
                draining.countDown();
                goOn.await();
            }));
            host.onStopping(() -> trail.add("stopping " + host.isReady()));

            host.stop();
            trail.await("stopping false");
            awaitQuietly(draining);
            host.ready();

            assertThat(host.isReady()).isFalse();
            assertThat(host.isLive()).as("draining").isTrue();
            assertThatThrownBy(() -> host.own(FakePart.named("late")))
                    .isInstanceOf(HostStopping.class)
                    .hasMessageContaining("host 'ready'")
                    .hasMessageContaining("host.stop()");
            goOn.countDown();
            host.stopAndWait();
            assertThat(host.isLive()).isFalse();
        }
    }

    @Test
    void close_ofANeverReadyHost_givesAFullReport() {
        var reports = new java.util.concurrent.LinkedBlockingQueue<ShutdownReport>();
        try (var host =
                Host.named("brief").signals(false).reportTo(reports::add).start()) {
            host.own(FakePart.named("a")
                    .on(FLUSH_TELEMETRY, _ -> trail.add("flushed"))
                    .on(READINESS_DOWN, _ -> {}));
        }
        trail.mustBe("flushed");
        assertThat(reports.remove().trigger()).isEqualTo("close()");
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
