package dev.tenure.db.internal.pool;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/// Connections to an SQLite file: WAL, durable commits, foreign keys on, and no wait inside native code.
public final class SqliteSource {
    private SqliteSource() {}

    /// The connection that writes.
    ///
    /// @param file created if it is not there
    /// @return the data source
    public static DataSource writer(Path file) {
        SQLiteConfig config = common();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        return at(file, config);
    }

    /// Connections that only read. The file must be there, in WAL mode.
    ///
    /// @param file the file
    /// @return the data source
    public static DataSource reader(Path file) {
        SQLiteConfig config = common();
        config.setReadOnly(true);
        return at(file, config);
    }

    /// A lock is waited for in Java: a wait in the driver would hold a carrier thread.
    private static SQLiteConfig common() {
        var config = new SQLiteConfig();
        config.setBusyTimeout(0);
        config.enforceForeignKeys(true);
        return config;
    }

    private static DataSource at(Path file, SQLiteConfig config) {
        var source = new SQLiteDataSource(config);
        source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
        return source;
    }
}
