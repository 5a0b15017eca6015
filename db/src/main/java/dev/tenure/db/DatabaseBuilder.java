package dev.tenure.db;

import com.zaxxer.hikari.HikariDataSource;
import dev.tenure.core.Observer;
import dev.tenure.core.Permits;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.db.internal.dialect.Faults;
import dev.tenure.db.internal.dialect.JdbcDialect;
import dev.tenure.db.internal.dialect.SqliteDialect;
import dev.tenure.db.internal.guard.Patience;
import dev.tenure.db.internal.pool.Pools;
import dev.tenure.db.internal.pool.Remembered;
import dev.tenure.db.internal.pool.SqliteSource;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Builds a [Database]. Opens nothing before [#open].
///
/// **Threads:** one. **Fails:** [ConfigurationError] at the setting that cannot work, and at `open` for a file that
/// cannot be opened or written, or is damaged; [StorageUnavailable] at `open` for what may pass by itself.
public final class DatabaseBuilder implements Part<Database> {
    private final @Nullable Path file;
    private final @Nullable DataSource borrowed;
    private String name;
    private int readers = 4;
    private int connections = 4;
    private int waitersMax = 256;
    private Duration leaseTimeout = Duration.ofSeconds(10);
    private Duration lockTimeout = Duration.ofSeconds(5);
    private boolean abortHeld;
    private Migration migration = _ -> {};
    private UnaryOperator<DataSource> driver = UnaryOperator.identity();

    private DatabaseBuilder(@Nullable Path file, @Nullable DataSource borrowed, String name) {
        this.file = file;
        this.borrowed = borrowed;
        this.name = name;
    }

    static DatabaseBuilder sqlite(Path file) {
        if (file.toString().contains("?") || file.getFileName() == null) {
            throw ConfigurationError.of("database.file", file, "the path of a file, without '?'");
        }
        String base = file.getFileName().toString();
        int dot = base.lastIndexOf('.');
        return new DatabaseBuilder(file, null, dot > 0 ? base.substring(0, dot) : base);
    }

    static DatabaseBuilder over(DataSource borrowed) {
        return new DatabaseBuilder(null, Objects.requireNonNull(borrowed, "borrowed"), "database");
    }

    /// Its name in reports; by default the file's, without its ending.
    ///
    /// @param other the name
    /// @return this
    public DatabaseBuilder named(String other) {
        if (other.isBlank()) {
            throw ConfigurationError.of("database.name", "'" + other + "'", "not blank");
        }
        name = other;
        return this;
    }

    /// Brings the schema up to date before anybody can borrow.
    ///
    /// @param step runs once at each opening
    /// @return this
    public DatabaseBuilder migratedBy(Migration step) {
        migration = Objects.requireNonNull(step, "step");
        return this;
    }

    /// How many may read at once, beside the one writer. Of SQLite only; 4 by default.
    ///
    /// @param count 1 to 64
    /// @return this
    public DatabaseBuilder readers(int count) {
        readers = between("database.readers", count, 64);
        return this;
    }

    /// How many connections of a borrowed data source may be out at once; 4 by default.
    ///
    /// @param count 1 to 1024
    /// @return this
    public DatabaseBuilder connections(int count) {
        connections = between("database.connections", count, 1024);
        return this;
    }

    /// How many may wait in each queue; 256 by default.
    ///
    /// @param count 1 to 1000000
    /// @return this
    public DatabaseBuilder waitersMax(int count) {
        waitersMax = between("database.waitersMax", count, 1_000_000);
        return this;
    }

    /// The longest wait for a lease; 10 s by default.
    ///
    /// @param wait more than nothing
    /// @return this
    public DatabaseBuilder leaseTimeout(Duration wait) {
        leaseTimeout = positive("database.leaseTimeout", wait);
        return this;
    }

    /// The longest wait for a lock that another process has; 5 s by default.
    ///
    /// @param wait more than nothing
    /// @return this
    public DatabaseBuilder lockTimeout(Duration wait) {
        lockTimeout = positive("database.lockTimeout", wait);
        return this;
    }

    /// Whether a close that ran out of time takes the connections away from who still uses them; by default it never
    /// does, and reports who it is instead.
    ///
    /// @param allowed true to abort
    /// @return this
    public DatabaseBuilder abortHeldLeases(boolean allowed) {
        abortHeld = allowed;
        return this;
    }

    /// A seam for faults between pool and driver.
    DatabaseBuilder through(UnaryOperator<DataSource> wrapper) {
        driver = wrapper;
        return this;
    }

    private static int between(String key, int value, int most) {
        if (value < 1 || value > most) {
            throw ConfigurationError.of(key, value, "1 to " + most);
        }
        return value;
    }

    private static Duration positive(String key, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Duration.ofDays(1)) > 0) {
            throw ConfigurationError.of(key, value, "more than PT0S, at most P1D");
        }
        return value;
    }

    @Override
    public Database open(Host host) throws Exception {
        Database database = open(host.timeSource(), host.timers(), host.observer());
        if (borrowed != null) {
            host.borrow("data source of database '" + name + "'");
        }
        return database;
    }

    /// Opens it without a host, on the system's clock; the caller closes it.
    ///
    /// @return the open database
    /// @throws Exception what a migration threw; [ConfigurationError], [StorageUnavailable]; nothing is left open
    public Database open() throws Exception {
        return open(TimeSource.system(), Timers.system(), Observer.none());
    }

    Database open(TimeSource timeSource, Timers timers, Observer observer) throws Exception {
        var settings =
                new Settings(name, leaseTimeout, abortHeld, new Patience(lockTimeout, timeSource, timers), observer);
        Path at = file;
        try {
            return at == null ? openBorrowed(settings) : openSqlite(settings, at);
        } catch (SQLException e) {
            throw isStorage(e) ? trouble(at, e) : e;
        } catch (RuntimeException e) {
            throw Pools.rootOf(e)
                    .filter(sql -> Faults.of(sql) == Fault.CORRUPT)
                    .map(sql -> trouble(at, sql))
                    .orElse(e);
        }
    }

    private static boolean isStorage(SQLException failure) {
        return Faults.of(failure).isStorage();
    }

    private RuntimeException trouble(@Nullable Path at, SQLException failure) {
        String place = "database '" + name + "'";
        return at == null
                ? Trouble.of(place, Faults.of(failure), failure, lockTimeout)
                : Trouble.atOpening(place, at, failure, lockTimeout);
    }

    private Database openBorrowed(Settings settings) throws Exception {
        DataSource source = driver.apply(Objects.requireNonNull(borrowed));
        migrate(source);
        Permits places = Permits.fair("connections of " + name, connections, waitersMax);
        Lane lane = new Lane("connection", connections, places, source, new JdbcDialect());
        return new Database(settings, lane, lane);
    }

    private void migrate(DataSource source) throws Exception {
        try (var connections = new Remembered(source)) {
            migration.migrate(connections);
        }
    }

    /// The writer opens first, since it recovers the file and makes it WAL, and closes last, since it empties the
    /// WAL.
    private Database openSqlite(Settings settings, Path at) throws Exception {
        HikariDataSource writing = Pools.writing(name + "-writer", driver.apply(SqliteSource.writer(at)));
        try {
            migrate(SqliteSource.writer(at));
            HikariDataSource reading = Pools.reading(name + "-reader", driver.apply(SqliteSource.reader(at)), readers);
            return new Database(settings, lane("writer", 1, writing), lane("reader", readers, reading));
        } catch (Throwable failure) {
            writing.close();
            throw failure;
        }
    }

    private Lane lane(String kind, int capacity, DataSource source) {
        return new Lane(
                kind, capacity, Permits.fair(kind + "s of " + name, capacity, waitersMax), source, new SqliteDialect());
    }
}
