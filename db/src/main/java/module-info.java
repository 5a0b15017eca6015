/// Database, lease and transaction over JDBC and HikariCP.
@org.jspecify.annotations.NullMarked
module dev.tenure.db {
    requires transitive dev.tenure.host;
    requires transitive java.sql;
    requires com.zaxxer.hikari;
    requires org.xerial.sqlitejdbc;
    requires static com.google.errorprone.annotations;
    requires static transitive org.jspecify;

    exports dev.tenure.db;
}
