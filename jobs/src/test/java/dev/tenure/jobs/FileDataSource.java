package dev.tenure.jobs;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;

/// New raw connections to one SQLite file, with no wait for its lock.
class FileDataSource extends FakeDataSource {
    private final String url;

    FileDataSource(Path file) {
        this.url = "jdbc:sqlite:" + file;
    }

    static FileDataSource at(Path file) {
        return new FileDataSource(file);
    }

    @Override
    public Connection getConnection() throws SQLException {
        var settings = new Properties();
        settings.setProperty("busy_timeout", "0");
        return DriverManager.getConnection(url, settings);
    }
}
