package dev.tenure.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Holder;
import dev.tenure.host.ShutdownReport.CallReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.ComponentReport;
import dev.tenure.host.ShutdownReport.Forced;
import dev.tenure.host.ShutdownReport.Left;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.host.ShutdownReport.PhaseReport;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ShutdownReportTest {
    @Test
    void toText_gracefulStop_tellsWhatEachPhaseDid() {
        var report = new ShutdownReport(
                "photos",
                Completion.GRACEFUL,
                "SIGTERM",
                Optional.empty(),
                Duration.ofMillis(412),
                Duration.ofSeconds(25),
                List.of(
                        phase(Phase.READINESS_DOWN, 0),
                        phase(Phase.STOP_ADMISSION, 3, call("http", "2 connections taken from the queue and served")),
                        phase(Phase.DRAIN_IN_FLIGHT, 391, call("http", ""), call("jobs", "2 finished, 1 released")),
                        phase(Phase.DISPOSE_DEPENDENCIES, 16, call("database", ""), call("blobs", "")),
                        phase(Phase.FLUSH_TELEMETRY, 2)),
                List.of(ended("database"), ended("blobs"), ended("jobs"), http(Outcome.COMPLETED, List.of())),
                new Left(0, 0, 0));

        assertThat(report.toText()).isEqualTo("""
                photos stopped: GRACEFUL in 412 ms of 25 000 ms, by SIGTERM
                  readiness down     0 ms
                  stop admission     3 ms   http: 2 connections taken from the queue and served
                  drain            391 ms   http: 14 admitted, 13 completed, 1 retained; jobs: 2 finished, 1 released
                  dispose           16 ms   database, blobs
                  telemetry          2 ms
                  left: 0 resources, 0 threads, 0 temporary files""");
        assertThat(report.exitCode()).isZero();
        assertThat(report.quiescent()).isTrue();
    }

    @Test
    void toText_stuckHandler_namesRouteHandlerAgeAndStack() {
        assertThat(stuck().toText()).isEqualTo("""
                photos stopped: INCOMPLETE in 25 031 ms of 25 000 ms, by SIGTERM, \
                forced by a second signal (SIGTERM), exit code 72
                  still running  GET /drill/stuck  in Drill.stuck  for 61 s, cancelled 2.0 s ago
                      (2 JDK frames, in Thread.sleep)
                      at app.Drill.spin(Drill.java:41)
                      at app.Drill.stuck(Drill.java:33)
                  retained       database 'photos': one lease held by GET /drill/stuck for 61 s
                  completed      blobs, http (13 of 14)
                  drain          23 250 ms   http retained: 14 admitted, 13 completed, 1 retained
                  left: 2 resources, 1 thread, 0 temporary files""");
        assertThat(stuck().exitCode()).isEqualTo(72);
        assertThat(stuck().quiescent()).isFalse();
        assertThat(stuck().reconciles()).isTrue();
    }

    @Test
    void toText_forcedByWhoAskedFirst_namesThatOnce_andWhatDidNothingHasNotCompleted() {
        var counts = Map.of("admitted", 1L, "completed", 0L, "retained", 1L);
        var http = new ComponentReport("http", Outcome.TIMED_OUT, Forced.COMPLETED, counts, List.of(), List.of());
        var report = new ShutdownReport(
                "photos",
                Completion.INCOMPLETE,
                "host.force()",
                Optional.of("host.force()"),
                Duration.ofMillis(70),
                Duration.ofSeconds(25),
                List.of(),
                List.of(http, ended("blobs")),
                new Left(1, 1, 0));

        assertThat(report.toText()).isEqualTo("""
                photos stopped: INCOMPLETE in 70 ms of 25 000 ms, by host.force(), exit code 72
                  timed out      http: it was told to end at once
                  completed      blobs
                  left: 1 resource, 1 thread, 0 temporary files""");
    }

    @Test
    void toJson_stuckHandler_holdsEverythingThatTheTextDoes() {
        assertThat(stuck().toJson())
                .contains("\"completion\": \"INCOMPLETE\"")
                .contains("\"exitCode\": 72")
                .contains("\"trigger\": \"SIGTERM\"")
                .contains("\"forcedBy\": \"a second signal (SIGTERM)\"")
                .contains("\"elapsedMillis\": 25031")
                .contains("\"budgetMillis\": 25000")
                .contains("\"admitted\": 14")
                .contains("\"what\": \"GET /drill/stuck\"")
                .contains("\"where\": \"Drill.stuck\"")
                .contains("\"ageMillis\": 61000")
                .contains("\"cancelledAgoMillis\": 2000")
                .contains("\"app.Drill.spin(Drill.java:41)\"")
                .contains("\"temporaryFiles\": 0");
    }

    private static ShutdownReport stuck() {
        var stack = List.of(
                new StackTraceElement("java.lang.Thread", "sleepNanos0", "Thread.java", 7),
                new StackTraceElement("java.lang.Thread", "sleep", "Thread.java", 9),
                new StackTraceElement("app.Drill", "spin", "Drill.java", 41),
                new StackTraceElement("app.Drill", "stuck", "Drill.java", 33));
        var age = Duration.ofSeconds(61);
        var running = new Holder("GET /drill/stuck", "Drill.stuck", age, Optional.of(Duration.ofSeconds(2)), stack);
        var lease = new Holder("GET /drill/stuck", "one lease", age, Optional.empty(), List.of());
        var database = new ComponentReport(
                "database 'photos'", Outcome.RETAINED, Forced.COMPLETED, Map.of(), List.of(lease), List.of());
        return new ShutdownReport(
                "photos",
                Completion.INCOMPLETE,
                "SIGTERM",
                Optional.of("a second signal (SIGTERM)"),
                Duration.ofMillis(25_031),
                Duration.ofSeconds(25),
                List.of(phase(
                        Phase.DRAIN_IN_FLIGHT,
                        23_250,
                        new CallReport("http", Outcome.RETAINED, Duration.ZERO, "", Optional.empty()))),
                List.of(database, ended("blobs"), http(Outcome.RETAINED, List.of(running))),
                new Left(2, 1, 0));
    }

    private static ComponentReport http(Outcome outcome, List<Holder> holders) {
        var counts = new LinkedHashMap<String, Long>();
        counts.put("admitted", 14L);
        counts.put("completed", 13L);
        counts.put("cancelled", 0L);
        counts.put("retained", 1L);
        return new ComponentReport("http", outcome, Forced.NOT_ATTEMPTED, counts, holders, List.of());
    }

    private static ComponentReport ended(String name) {
        return new ComponentReport(name, Outcome.COMPLETED, Forced.NOT_ATTEMPTED, Map.of(), List.of(), List.of());
    }

    private static PhaseReport phase(Phase phase, long millis, CallReport... calls) {
        return new PhaseReport(phase, Duration.ofMillis(millis), List.of(calls));
    }

    private static CallReport call(String component, String summary) {
        return new CallReport(component, Outcome.COMPLETED, Duration.ZERO, summary, Optional.empty());
    }
}
