/// Fault sweeps, ledger, fake clock, trail and leak check for tests.
@org.jspecify.annotations.NullMarked
module dev.tenure.testkit {
    requires transitive dev.tenure.core;
    requires transitive org.junit.jupiter.api;
    requires java.management;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.testkit;

    provides dev.tenure.core.spi.ProbeListener with
            dev.tenure.testkit.KitProbeListener;
}
