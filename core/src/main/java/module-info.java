/// Scopes, owned handles, tasks, supervisors: who owns what, and how it ends.
@org.jspecify.annotations.NullMarked
@SuppressWarnings("module") // the friend is built later
module dev.tenure.core {
    requires jdk.jfr;
    requires static transitive com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.core;
    exports dev.tenure.core.spi to
            dev.tenure.testkit;

    uses dev.tenure.core.ContextCarrier;
    uses dev.tenure.core.spi.ProbeListener;
}
