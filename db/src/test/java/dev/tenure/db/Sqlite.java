package dev.tenure.db;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.CountDownLatch;

/// An SQLite file for a test, and a connection to it that the database under test knows nothing of.
record Sqlite(Path folder) {
    Path file() {
        return folder.resolve("shop.db");
    }

    DatabaseBuilder builder() {
        return Database.sqlite(file()).readers(2).migratedBy(source -> {
            try (var connection = source.getConnection();
                    var statement = connection.createStatement()) {
                statement.executeUpdate("CREATE TABLE IF NOT EXISTS item (id INTEGER PRIMARY KEY, name TEXT NOT NULL)");
                statement.executeUpdate("CREATE TABLE IF NOT EXISTS part (item INTEGER REFERENCES item(id)"
                        + " DEFERRABLE INITIALLY DEFERRED)");
            }
        });
    }

    Database open() throws Exception {
        return builder().open();
    }

    Database open(FaultDriver driver) throws Exception {
        return builder().through(driver::wrap).open();
    }

    Connection other() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + file() + "?busy_timeout=0");
    }

    /// What anybody else sees in the file now.
    int rows() throws SQLException {
        try (var connection = other()) {
            return count(connection);
        }
    }

    static int count(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM item")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    static int insert(Connection connection, String name) throws SQLException {
        try (var statement = connection.prepareStatement("INSERT INTO item (name) VALUES (?)")) {
            statement.setString(1, name);
            return statement.executeUpdate();
        }
    }

    /// A query that runs for minutes unless it is cancelled.
    static long forever(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                        + " WHERE i < 100000000000) SELECT count(*) FROM n")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /// A write that goes on for minutes unless it is cancelled.
    static int writeForever(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            return statement.executeUpdate("INSERT INTO item (name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL"
                    + " SELECT i + 1 FROM n WHERE i < 100000000000) SELECT 'item ' || i FROM n");
        }
    }

    /// Waits as a driver does that knows no interrupts; the flag is kept.
    static void uninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
