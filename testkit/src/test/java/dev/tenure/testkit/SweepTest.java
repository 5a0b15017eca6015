package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SweepTest {
    @Test
    void rightScenario_isClean() {
        var report = Sweep.of("right", Scenarios::right).pairs(500).run();
        System.out.println(report + "\n" + String.join("\n", report.points()) + "\n" + report.ownerTable().markdown());
        report.assertClean();
    }

    @Test
    void tasks_areClean() {
        var report = Sweep.of("tasks", Scenarios::tasks).schedules(50).pairs(500).exhaustive(2).run();
        System.out.println(report + "\n" + String.join("\n", report.points()) + "\n" + report.ownerTable().markdown());
        report.assertClean();
    }

    @Test
    void gap_isFound_andItsTokenReplays() {
        var report = Sweep.of("gap", Scenarios::gap).run();
        System.out.println(report);
        assertThat(report.failures()).isNotEmpty();
        assertThatThrownBy(report::assertClean).hasMessageContaining("Law 1: 'socket peer' had no owner after connect");
        var failure = report.seenBy(12).orElseThrow();
        var replayed = Sweep.replay(failure.token(), Scenarios::gap);
        assertThat(replayed.failures()).anyMatch(other -> other.message().equals(failure.message()));
        assertThat(replayed.events()).endsWith(failure.events().toArray(String[]::new));
        System.out.println(String.join("\n", replayed.events()));
    }
    @Test
    void gapInTask() {
        var report = Sweep.of("gap2", Scenarios::tasksWithGap).schedules(200).run();
        System.out.println(report);
        assertThat(report.failures()).isNotEmpty();
    }
}
