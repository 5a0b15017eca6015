package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.SweepReport;
import dev.tenure.testkit.SweepReport.Failure;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [LeakyImport] looks right and passes its test; the sweep finds its four faults. [RepairedImport] has none.
class FourFailuresTest {
    private static final Path README = Path.of("README.md");

    // tag::leaky
    private static void leaky(World world) throws Exception {
        String name = "photo-" + world.files().count();
        assertThat(new LeakyImport(FakeDevices.of(world)).run(name)).isEqualTo(640);
    }
    // end::leaky

    private static void repaired(World world) throws Exception {
        String name = "photo-" + world.files().count();
        assertThat(new RepairedImport(FakeDevices.of(world)).run(name)).isEqualTo(640);
    }

    /// A value is lost on cancel only where its task succeeds meanwhile: that takes more than one schedule.
    private static SweepReport sweepLeaky() {
        return Sweep.of("leaky", FourFailuresTest::leaky).schedules(50).run();
    }

    private static Failure about(SweepReport report, String resource) {
        return report.failures().stream()
                .filter(one -> one.resource().equals(resource))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void undisturbed_showsNothing() {
        assertThat(Sweep.replay("own1:leaky:fifo:", FourFailuresTest::leaky).failures())
                .isEmpty();
    }

    @Test
    void sweep_findsExactlyFourFailures_eachWithItsOwnLaw() throws IOException {
        var report = sweepLeaky();
        System.out.println(report);
        assertThat(report.failures())
                .extracting(Failure::resource, Failure::law)
                .containsExactlyInAnyOrder(
                        tuple("session", 1), tuple("file photo-0", 8), tuple("decoder", 6), tuple("message", 7));
        assertThat(report.failures()).extracting(Failure::token).doesNotHaveDuplicates();
        assertThat(about(report, "decoder").token()).as("lost on cancel").contains(":CANCEL");
        assertThat(about(report, "message").token()).as("cut short by a cancel").contains(":CANCEL");
        for (Failure failure : report.failures()) {
            assertThat(Files.readString(README)).as("its page").contains(failure.toString());
        }
    }

    @Test
    void eachMessage_saysWhatToFix() {
        var report = sweepLeaky();
        assertThat(about(report, "session").toString())
                .contains("'session' had no owner after track/session:after and is still open at the end")
                .contains("fix: register it in the step that opens it: scope.acquire(TYPE, how)");
        assertThat(about(report, "file photo-0").toString())
                .contains("row 'photo-0' refers to file 'photo-0', which is gone")
                .contains("fix: publish last");
        assertThat(about(report, "decoder").toString())
                .contains("'decoder' was produced by task 'decoder', and nobody took it")
                .contains("fix: acquire it in the task's scope and return the handle");
        assertThat(about(report, "message").toString())
                .contains("the close of 'message' was cut short by an interrupt")
                .contains("fix: run it masked: give it to a scope");
    }

    @Test
    void eachToken_givesTheSameFailureAgain() {
        assertThat(sweepLeaky().failures()).allSatisfy(failure -> {
            var again = Sweep.replay(failure.token(), FourFailuresTest::leaky);
            assertThat(again.failures())
                    .extracting(Failure::law, Failure::message, Failure::token)
                    .contains(tuple(failure.law(), failure.message(), failure.token()));
            assertThat(again.events()).endsWith(failure.events().toArray(String[]::new));
        });
    }

    @Test
    void fourTokens_giveTheSameFailuresAndEvents_inAFreshJvm() {
        var failures = sweepLeaky().failures();
        var here = failures.stream()
                .flatMap(failure -> told(failure.token()).stream())
                .toList();
        String[] tokens = failures.stream().map(Failure::token).toArray(String[]::new);
        try (var child = ChildJvm.start(ReplayProgram.class, tokens)) {
            assertThat(child.awaitExit()).isZero();
            assertThat(child.lines()).isEqualTo(here);
        }
        assertThat(here)
                .containsAll(failures.stream()
                        .map(failure -> "Law %d: %s".formatted(failure.law(), failure.message()))
                        .toList());
    }

    private static List<String> told(String token) {
        var again = Sweep.replay(token, FourFailuresTest::leaky);
        var lines = new ArrayList<>(again.events());
        again.failures().forEach(failure -> lines.add("Law %d: %s".formatted(failure.law(), failure.message())));
        return lines;
    }

    /// Prints events and failures of its tokens.
    static final class ReplayProgram {
        private ReplayProgram() {}

        public static void main(String[] tokens) {
            for (String token : tokens) {
                told(token).forEach(System.out::println);
            }
        }
    }

    /// Every kind of fault, also two in a run. The one thing that may stay is a file whose commit got no answer: nobody
    /// can know whether the catalogue has it, so it is left to a reclaimer, on purpose.
    @Test
    void repaired_isCleanUnderEveryFault_underSchedules_andWithTwoFaults() {
        var report = Sweep.of("repaired", FourFailuresTest::repaired)
                .survivors("file photo-0")
                .schedules(30)
                .pairs(500)
                .run()
                .assertClean();
        assertThat(report.faults()).isEqualTo(13); // all but DEADLINE, since it has none
    }
}
