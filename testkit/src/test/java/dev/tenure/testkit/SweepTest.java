package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Supervisor;
import org.junit.jupiter.api.Test;

class SweepTest {
    @Test
    void rightScenario_isClean() {
        var report = Sweep.of("right", Scenarios::right).pairs(300).run().assertClean();

        assertThat(report.points())
                .startsWith("open/request:before", "acquire/socket:before", "connect/socket peer:before");
        assertThat(report.runs()).isGreaterThan(400);
        assertThat(report.toString()).startsWith("right: 20 points, ").endsWith("clean");
    }

    @Test
    void tasks_areClean_underEverySchedule() {
        var report = Sweep.of("tasks", Scenarios::tasks)
                .schedules(20)
                .pairs(200)
                .exhaustive(1)
                .run()
                .assertClean();

        assertThat(report.notes()).anyMatch(note -> note.startsWith("exhausted: all "));
    }

    @Test
    void closersOfTheCore_meetNoInterrupt_andAreSwept() {
        Sweep.of("closers", world -> {
                    try (var supervisor = Supervisor.open("workers", world.options())) {
                        supervisor.own(Scenarios.SOCKET.strongMask(), world.socket("peer"));
                    }
                })
                .schedules(10)
                .pairs(300)
                .run()
                .assertClean();
    }

    @Test
    void gap_isFound_andItsTokenReplays() {
        var report = Sweep.of("gap", Scenarios::gap).run();

        assertThatThrownBy(report::assertClean)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(
                        "Law 1: 'socket peer' had no owner between connect/socket peer:after and own/socket:before")
                .hasMessageContaining("fix: register it in the step that opens it")
                .hasMessageContaining("replay: own1:gap:fifo:");
        var failure = report.seenBy(12).orElseThrow();
        var replayed = Sweep.replay(failure.token(), Scenarios::gap);
        assertThat(replayed.failures()).anyMatch(other -> other.message().equals(failure.message()));
        assertThat(replayed.events()).endsWith(failure.events().toArray(String[]::new));
        assertThat(Sweep.replay(failure.token(), Scenarios::gap).events()).isEqualTo(replayed.events());
    }

    @Test
    void gapInATask_isFoundInEverySchedule() {
        for (int seed = 1; seed <= 200; seed++) {
            var token = "own1:gap:r%d:CANCEL@query/connect/socket%%20peer/after#1".formatted(seed);
            assertThat(Sweep.replay(token, Scenarios::tasksWithGap).seenBy(12))
                    .as(token)
                    .isPresent();
        }
        for (int seed = 1; seed <= 50; seed++) {
            var token = "own1:gap:p%d.60:CANCEL@query/connect/socket%%20peer/after#1".formatted(seed);
            assertThat(Sweep.replay(token, Scenarios::tasksWithGap).seenBy(12))
                    .as(token)
                    .isPresent();
        }
    }

    @Test
    void failureThatNeedsOtherOrder_isShrunkToTheFewestPreemptions() {
        assertThat(Sweep.of("order", Scenarios::order).exhaustive(0).run().seenBy(4))
                .as("without a preemption")
                .isEmpty();
        var report = Sweep.of("order", Scenarios::order)
                .schedules(60)
                .faults(Fault.HANG)
                .run();

        var failure = report.seenBy(4).orElseThrow();
        assertThat(failure.token()).as("one preemption, no fault").matches("own1:order:d\\d+-\\d+:");
        assertThat(Sweep.replay(failure.token(), Scenarios::order).seenBy(4)).isPresent();
    }

    @Test
    void faultThatStays_findsWhatARetryHides_andItsTokenReplays() {
        var report = Sweep.of("retrying", Scenarios::retrying)
                .faults(Fault.THROW_CHECKED)
                .run();

        var failure = report.seenBy(12).orElseThrow();
        assertThat(failure.resource()).isEqualTo("alarm");
        assertThat(failure.token()).isEqualTo("own1:retrying:fifo:THROW_CHECKED*@connect/socket%20peer/before#1");
        var replayed = Sweep.replay(failure.token(), Scenarios::retrying);
        assertThat(replayed.seenBy(12)).isPresent();
        assertThat(replayed.events())
                .filteredOn(event -> event.contains("injected"))
                .hasSize(2);
        assertThat(Sweep.replay(failure.token().replace("*", ""), Scenarios::retrying)
                        .failures())
                .as("once is not enough")
                .isEmpty();
    }

    @Test
    void exhaustive_finds_whatOneOrderHides_andCountsTheSameEachTime() {
        var first = Sweep.of("order", Scenarios::order).exhaustive(2).run();
        var second = Sweep.of("order", Scenarios::order).exhaustive(2).run();

        assertThat(first.seenBy(4)).isPresent();
        assertThat(first.notes()).isEqualTo(second.notes());
    }

    @Test
    void sameToken_givesTheSameEvents_inAFreshJvm() {
        var token = "own1:tasks:r7:CANCEL@query/execute/pool/before#1";
        var here = Sweep.replay(token, Scenarios::tasks).events();

        try (var child = ChildJvm.start(ReplayProgram.class, token)) {
            assertThat(child.awaitExit()).isZero();
            assertThat(child.lines()).isEqualTo(here);
        }
    }

    /// Prints the events of a token.
    static final class ReplayProgram {
        private ReplayProgram() {}

        public static void main(String[] arguments) {
            Sweep.replay(arguments[0], Scenarios::tasks).events().forEach(System.out::println);
        }
    }

    @Test
    void tokens_thatAreNone_areRefused() {
        assertThatThrownBy(() -> Sweep.replay("own2:a:fifo:", Scenarios::right))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: own1:scenario:schedule:FAULT@point");
        assertThatThrownBy(() -> Sweep.of("a", Scenarios::right).schedules(0))
                .hasMessage("schedules: 0 (expected: >= 1)");
    }

    @Test
    void ownerTable_namesOwnersEventsAndEnds() {
        var table = Sweep.of("tasks", Scenarios::tasks).run().ownerTable();

        assertThat(table.markdown()).contains("| Resource | Owner | Transfer event | Cleanup action |");
        assertThat(table.rows()).anySatisfy(row -> {
            assertThat(row.resource()).isEqualTo("socket");
            assertThat(row.owner()).isEqualTo("scope 'request', scope 'send'");
            assertThat(row.transferEvent()).isEqualTo("fork");
            assertThat(row.cleanup()).isEqualTo("close, masked");
            assertThat(row.points()).isPositive();
            assertThat(row.injected()).isPositive();
            assertThat(row.worst()).isEqualTo("failed");
        });
        assertThat(table.json()).startsWith("[\n  {\"resource\": \"connection\", \"owner\": \"scope 'query'\"");
    }
}
