package dev.tenure.sim;

import dev.tenure.db.Migration;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/// One SQLite database in memory, which lends its one connection: SQL works for real, and every loan, transaction and
/// statement fires points and is counted.
///
/// **Owner:** the [Sim] of a run. **Ends:** with the run; its content goes on to the next run of the same world.
/// **Threads:** the scenario's, one at a time.
final class SqlStore implements DataSource, AutoCloseable {
    private static final String LINK_LOST = "08006";

    private final World world;
    private final SQLiteConnection physical;

    private SqlStore(World world, SQLiteConnection physical) {
        this.world = world;
        this.physical = physical;
    }

    /// Opens a database with this content.
    static SqlStore open(World world, byte[] content) throws SQLException {
        SQLiteConnection physical = connect("jdbc:sqlite::memory:");
        try {
            physical.deserialize("main", content);
            return new SqlStore(world, physical);
        } catch (Throwable failure) {
            physical.close();
            throw failure;
        }
    }

    /// What an empty database is after a migration.
    static byte[] migrated(Migration migration) throws Exception {
        Path folder = Files.createTempDirectory("tenure-sim-");
        Path file = folder.resolve("template.db");
        try {
            migration.migrate(source("jdbc:sqlite:" + file));
            try (SQLiteConnection made = connect("jdbc:sqlite:" + file)) {
                return made.serialize("main");
            }
        } finally {
            deleteAll(folder);
        }
    }

    private static void deleteAll(Path folder) throws IOException {
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path each : files) {
                Files.delete(each);
            }
        }
        Files.delete(folder);
    }

    private static SQLiteConnection connect(String url) throws SQLException {
        return source(url).getConnection(null, null);
    }

    private static SQLiteDataSource source(String url) {
        var config = new SQLiteConfig();
        config.enforceForeignKeys(true);
        var source = new SQLiteDataSource(config);
        source.setUrl(url);
        return source;
    }

    World world() {
        return world;
    }

    Connection physical() {
        return physical;
    }

    void run(String sql) throws SQLException {
        try (var statement = physical.createStatement()) {
            statement.execute(sql);
        }
    }

    byte[] content() throws SQLException {
        return physical.serialize("main");
    }

    /// What a driver throws when its link breaks.
    static SQLException broken(Exception fault) {
        return new SQLException("the link to the database broke: " + fault.getMessage(), LINK_LOST, fault);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return SqlLoan.of(this);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    @Override
    public void close() throws SQLException {
        physical.close();
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        throw new SQLFeatureNotSupportedException("no log");
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        throw new SQLFeatureNotSupportedException("no log");
    }

    @Override
    public void setLoginTimeout(int seconds) {
        // Nothing waits here.
    }

    @Override
    public int getLoginTimeout() {
        return 0;
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException("no log");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException("nothing inside");
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
