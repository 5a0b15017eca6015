package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.examples.ownership.Greeter.Line;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.SweepReport;
import dev.tenure.testkit.Tracked;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The tutorial `docs/tutorial/find-a-leak.md`: what the page shows is what is printed here.
class FindALeakTest {
    private static final Path PAGE = Path.of("../../docs/tutorial/find-a-leak.md");

    private static final List<String> EVENTS = List.of(
            "track/line to 112:before", "  main: opened line to 112", "track/line to 112:after", "use line to 112");

    // tag::row
    private static final List<String> ROW = List.of("line", "scope 'greet'", "none", "close, masked");
    // end::row

    // tag::watch
    private static Line watched(World world) {
        Tracked<AutoCloseable> line = world.track(() -> {}, "line to 112");
        return new Line() {
            @Override
            public void say(String text) {
                line.get(); // a use: the sweep may disturb it, and looks whether the line is still open
            }

            @Override
            public String hear() {
                line.get();
                return "hello yourself";
            }

            @Override
            public void close() throws IOException {
                Closing.of(line);
            }
        };
    }
    // end::watch

    // tag::scenario
    private static void greet(World world) throws Exception {
        var greeter = new Greeter(number -> watched(world));
        assertThat(greeter.greet("112")).isEqualTo("hello yourself");
    }
    // end::scenario

    // tag::repaired
    private static void greetOwned(World world) throws Exception {
        var greeter = new Greeter(number -> watched(world));
        assertThat(greeter.greetOwned("112")).isEqualTo("hello yourself");
    }
    // end::repaired

    @Test
    void leak_isFoundAndReplayed() throws IOException {
        // tag::sweep
        SweepReport report = Sweep.of("greet", FindALeakTest::greet).run();
        System.out.println(report);
        // end::sweep
        assertThat(report.failures()).hasSize(1);
        assertThat(page()).contains(comparable(report.toString()));
        // tag::replay
        String token = report.failures().getFirst().token();
        SweepReport again = Sweep.replay(token, FindALeakTest::greet);
        again.events().forEach(System.out::println);
        // end::replay
        assertThat(again.failures()).extracting(SweepReport.Failure::token).containsExactly(token);
        assertThat(again.events()).containsSubsequence(EVENTS);
        assertThat(page()).contains(String.join("\n", EVENTS));
        assertThat(page()).contains(comparable(report.ownerTable().markdown()));
    }

    @Test
    void repaired_isCleanAndItsRowIsTheWrittenOne() throws IOException {
        // tag::clean
        SweepReport report = Sweep.of("greet", FindALeakTest::greetOwned).run().assertClean();
        System.out.println(report);
        System.out.println(report.ownerTable().markdown());
        // end::clean
        assertThat(page())
                .contains(
                        comparable(report.toString()),
                        comparable(report.ownerTable().markdown()));
        // tag::compare
        SweepReport.Row row = report.ownerTable().rows().stream()
                .filter(one -> one.resource().equals("line"))
                .findFirst()
                .orElseThrow();
        assertThat(List.of(row.resource(), row.owner(), row.transferEvent(), row.cleanup()))
                .isEqualTo(ROW);
        // end::compare
    }

    private static String page() throws IOException {
        return comparable(Files.readString(PAGE));
    }

    /// Without the numbers of points, runs and milliseconds, which differ from machine to machine or grow with the kit.
    private static String comparable(String text) {
        return text.replaceAll("\\d[\\d ]* (points|faults|runs|ms|failed)", "# $1")
                .replaceAll("\\| \\d+ \\| \\d+ \\|", "| # | # |")
                .strip();
    }
}
