/// Whole handlers under a fault sweep: database, blobs, jobs, uploads and exchange in one world.
@org.jspecify.annotations.NullMarked
module dev.tenure.sim {
    requires transitive dev.tenure.testkit;
    requires transitive dev.tenure.publish;
    requires transitive dev.tenure.uploads;
    requires org.xerial.sqlitejdbc;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.sim;

    provides dev.tenure.testkit.WorldPart with
            dev.tenure.sim.SimPart;
}
