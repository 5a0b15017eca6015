/// Stage, place, settle: files that belong to a transaction.
@org.jspecify.annotations.NullMarked
module dev.tenure.blobs {
    requires transitive dev.tenure.host;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.blobs;
}
