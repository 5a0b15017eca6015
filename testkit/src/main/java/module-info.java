/// Fault sweeps, ledger, fake clock, trail and leak check for tests.
@org.jspecify.annotations.NullMarked
module dev.tenure.testkit {
    requires transitive dev.tenure.core;
    requires transitive org.junit.jupiter.api;
    requires org.junit.platform.commons;
    requires org.junit.platform.launcher;
    requires java.management;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.testkit;

    uses dev.tenure.testkit.WorldPart;

    provides org.junit.platform.launcher.TestExecutionListener with
            dev.tenure.testkit.ExitCheck;
    provides dev.tenure.core.spi.ProbeListener with
            dev.tenure.testkit.KitProbeListener;
}
