package dev.tenure.it.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.it.Counts;
import dev.tenure.testkit.Scenario;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.SweepReport;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// Every transition of the core, with every fault at every point, under other schedules, with two
/// faults, and under every schedule that has at most two preemptions.
class CoreSweepTest {
    private static final Map<String, Scenario> SCENARIOS = new TreeMap<>(Map.ofEntries(
            Map.entry("acquire and own", CoreScenarios::acquireAndOwn),
            Map.entry("nested scopes", CoreScenarios::nestedScopes),
            Map.entry("mask", CoreScenarios::masked),
            Map.entry("fork with a handle", CoreScenarios::forkWithHandle),
            Map.entry("hoist", CoreScenarios::hoist),
            Map.entry("supervisor", CoreScenarios::supervisor),
            Map.entry("permits", CoreScenarios::permits),
            Map.entry("staged", CoreScenarios::staged),
            Map.entry("handoff queue", CoreScenarios::handoff),
            Map.entry("shared", CoreScenarios::shared),
            Map.entry("race", CoreScenarios::race),
            Map.entry("timeout", CoreScenarios::timeout),
            Map.entry("detach", CoreScenarios::detach),
            Map.entry("strong mask", CoreScenarios::strongMask),
            Map.entry("close with a budget", CoreScenarios::closeWithBudget),
            Map.entry("move into a closing scope", CoreScenarios::moveIntoClosing)));

    @TestFactory
    Stream<DynamicTest> sweeps() {
        return SCENARIOS.entrySet().stream()
                .map(entry -> DynamicTest.dynamicTest(entry.getKey(), () -> sweep(entry.getKey(), entry.getValue())));
    }

    @TestFactory
    Stream<DynamicTest> exhausted() {
        return Stream.of(DynamicTest.dynamicTest("transfer, cancel, close and foreign release", () -> {
            var report = Sweep.of("transfer", CoreScenarios::transferCancelCloseRelease)
                    .schedules(Counts.of(20, 1_000))
                    .pairs(Counts.of(200, 20_000))
                    .exhaustive(Counts.of(2, 3))
                    .budget(Duration.ofSeconds(Counts.of(60, 600)))
                    .run();
            say(report);
            report.assertClean();
            assertThat(report.notes()).anyMatch(note -> note.startsWith("exhausted: all "));
        }));
    }

    private static void sweep(String name, Scenario scenario) {
        var report = Sweep.of(name, scenario)
                .schedules(Counts.of(20, 1_000))
                .pairs(Counts.of(300, 20_000))
                .exhaustive(2)
                .budget(Duration.ofSeconds(Counts.of(20, 300)))
                .run();
        say(report);
        report.assertClean();
    }

    private static void say(SweepReport report) {
        System.out.println(report);
    }
}
