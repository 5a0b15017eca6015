/// Scopes, owned handles, tasks, supervisors: who owns what, and how it ends.
@org.jspecify.annotations.NullMarked
module dev.tenure.core {
    requires jdk.jfr;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;
}
