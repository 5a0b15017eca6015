package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.tenure.testkit.Fault;
import dev.tenure.testkit.Sweep;
import dev.tenure.testkit.SweepReport;
import dev.tenure.testkit.SweepReport.Failure;
import dev.tenure.testkit.World;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/// [LeakyImport] looks right and passes its test; the sweep finds its four faults. [RepairedImport] has none.
class FourFailuresTest {
    /// Without third parties: who interrupts releases, ends handles it was never given, or refuses inside a publish.
    private static final Fault[] BEARABLE = EnumSet.complementOf(
                    EnumSet.of(Fault.CANCEL, Fault.INTERRUPT, Fault.FOREIGN_RELEASE, Fault.REFUSE))
            .toArray(Fault[]::new);

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

    private static SweepReport sweepLeaky() {
        return Sweep.of("leaky", FourFailuresTest::leaky).run();
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
    void sweep_findsFourFailuresAndTellsThemApart() {
        var report = sweepLeaky();
        System.out.println(report);
        assertThat(report.failures())
                .extracting(Failure::resource)
                .containsOnly("session", "file photo-0", "decoder", "message");
        assertThat(about(report, "session").law()).isEqualTo(1);
        assertThat(about(report, "file photo-0").law()).isEqualTo(8);
        assertThat(about(report, "message").law()).isEqualTo(7);
        assertThat(about(report, "decoder").message()).contains("decoder: track/decoder:after"); // in the task's thread
        assertThat(List.of("session", "file photo-0", "decoder", "message"))
                .extracting(resource -> about(report, resource).token())
                .doesNotHaveDuplicates();
    }

    /// Without any other fault, under many schedules: whoever waits for the decoder is cancelled while it is opened.
    @Test
    void cancelAlone_losesTheDecoderAndCutsTheCloseShort() {
        var report = Sweep.of("leaky", FourFailuresTest::leaky)
                .faults(Fault.CANCEL, Fault.CANCEL_OUTER)
                .schedules(50)
                .run();
        System.out.println(report);
        var lost = about(report, "decoder");
        assertThat(lost.token()).contains(":CANCEL");
        assertThat(Sweep.replay(lost.token(), FourFailuresTest::leaky).failures())
                .extracting(Failure::message)
                .contains(lost.message());
        assertThat(about(report, "message").law()).isEqualTo(7);
        assertThat(about(report, "message").token()).contains("CANCEL");
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
    void eachMessage_saysWhatToFix() {
        var report = sweepLeaky();
        assertThat(about(report, "session").toString())
                .contains("'session' had no owner after track/session:after")
                .contains("register it in the step that opens it: scope.acquire(TYPE, how)");
        assertThat(about(report, "file photo-0").toString())
                .contains("row 'photo-0' refers to file 'photo-0', which is gone")
                .contains("publish last");
        assertThat(about(report, "decoder").toString())
                .contains("'decoder' had no owner after decoder: ")
                .contains("scope.acquire(TYPE, how)");
        assertThat(about(report, "message").toString())
                .contains("the close of 'message' was cut short by an interrupt")
                .contains("run it masked: give it to a scope");
    }

    /// A commit whose answer was lost leaves its file to a reclaimer, on purpose.
    @Test
    void repaired_isCleanWithOneFaultAndWithTwo() {
        Sweep.of("repaired", FourFailuresTest::repaired)
                .faults(Fault.CANCEL, BEARABLE)
                .survivors("file photo-0")
                .pairs(200)
                .run()
                .assertClean();
    }
}
