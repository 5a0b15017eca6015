/// Database, lease and transaction over JDBC and HikariCP.
package dev.tenure.db;
