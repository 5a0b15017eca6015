/// The one call that gets stage, place, reference, enqueue, commit and settle in order.
@org.jspecify.annotations.NullMarked
module dev.tenure.publish {
    exports dev.tenure.publish;

    requires transitive dev.tenure.blobs;
    requires transitive dev.tenure.jobs;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;
}
