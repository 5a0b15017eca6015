/// Durable jobs, enqueued in the transaction that needs them.
@org.jspecify.annotations.NullMarked
module dev.tenure.jobs {
    exports dev.tenure.jobs;

    requires transitive dev.tenure.db;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;
}
