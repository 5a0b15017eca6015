/// Process lifetime: phases, signals, readiness, activities, the shutdown report.
@org.jspecify.annotations.NullMarked
module dev.tenure.host {
    requires transitive dev.tenure.core;
    requires jdk.unsupported;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.host;
}
