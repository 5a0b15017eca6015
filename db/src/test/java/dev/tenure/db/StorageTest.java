package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.db.CommitOutcome.End;
import dev.tenure.db.CommitOutcome.RolledBack;
import dev.tenure.db.CommitOutcome.Unknown;
import dev.tenure.db.StorageUnavailable.Kind;
import dev.tenure.host.ConfigurationError;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

@ExtendWith(LeakCheck.class)
class StorageTest {
    private static final Map<SQLiteErrorCode, Kind> KINDS = Map.of(
            SQLiteErrorCode.SQLITE_FULL, Kind.FULL,
            SQLiteErrorCode.SQLITE_READONLY, Kind.READ_ONLY,
            SQLiteErrorCode.SQLITE_READONLY_DBMOVED, Kind.READ_ONLY,
            SQLiteErrorCode.SQLITE_CANTOPEN, Kind.CANNOT_OPEN,
            SQLiteErrorCode.SQLITE_IOERR_FSYNC, Kind.IO);

    @TempDir
    Path folder;

    private static FaultDriver.Effect failing(SQLiteErrorCode code) {
        return () -> {
            throw new SQLiteException("injected", code);
        };
    }

    private static Kind kind(RolledBack<?> outcome) {
        return ((StorageUnavailable) outcome.cause()).kind();
    }

    @Test
    void statement_thatMeetsUnusableStorage_saysInWhichWayAndRollsBack() throws Exception {
        var driver = new FaultDriver();
        var sqlite = new Sqlite(folder);
        try (var database = sqlite.open(driver)) {
            for (var each : KINDS.entrySet()) {
                driver.before("INSERT", failing(each.getKey()));
                var outcome = database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"));
                assertThat(kind((RolledBack<Integer>) outcome)).isEqualTo(each.getValue());
            }
            assertThat(sqlite.rows()).isZero();
            assertThat(driver.closed()).as("evicted after the I/O error alone").isEqualTo(1);
            assertThat(database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                            .end())
                    .isEqualTo(End.COMMITTED);
        }
    }

    @Test
    void commit_onAFullDisk_isRolledBack_andOnAnIoErrorUnknown() throws Exception {
        var driver = new FaultDriver();
        var sqlite = new Sqlite(folder);
        try (var database = sqlite.open(driver)) {
            driver.before("COMMIT", failing(SQLiteErrorCode.SQLITE_FULL));
            var full = database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"));
            assertThat(kind((RolledBack<Integer>) full)).isEqualTo(Kind.FULL);
            assertThat(((RolledBack<Integer>) full).cause())
                    .hasMessageContaining("the disk is full: free space on the data folder's volume");

            driver.before("COMMIT", failing(SQLiteErrorCode.SQLITE_IOERR_FSYNC));
            var broken = database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"));
            assertThat(broken).isInstanceOf(Unknown.class);
            assertThat(sqlite.rows()).isZero();
        }
    }

    /// SQLite's own limit on the file stands for the disk's.
    @Test
    void database_thatIsReallyFull_refusesTheWriteAndGoesOn() throws Exception {
        var driver = new FaultDriver();
        var sqlite = new Sqlite(folder);
        try (var database = sqlite.builder().through(driver::wrap).open()) {
            var outcome = database.inTransaction(tx -> {
                Sqlite.insert(tx.connection(), "before");
                try (var statement = tx.connection().createStatement()) {
                    statement.executeUpdate("PRAGMA max_page_count = 20");
                    return statement.executeUpdate("INSERT INTO item (name) VALUES (zeroblob(1000000))");
                }
            });
            assertThat(kind((RolledBack<Integer>) outcome)).isEqualTo(Kind.FULL);
            assertThat(sqlite.rows()).isZero();
            int after = database.withLease(sql -> Sqlite.insert(sql, "after"));
            assertThat(after).isEqualTo(1);
        }
    }

    @Test
    void lockOfAnotherProcess_thatIsKept_endsTheWaitWithItsLength() throws Exception {
        var sqlite = new Sqlite(folder);
        try (var database = sqlite.builder().lockTimeout(Duration.ofMillis(60)).open();
                var other = sqlite.other();
                var statement = other.createStatement()) {
            statement.executeUpdate("BEGIN IMMEDIATE");
            var outcome = database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"));
            assertThat(kind((RolledBack<Integer>) outcome)).isEqualTo(Kind.LOCKED);
            assertThatExceptionOfType(StorageUnavailable.class)
                    .isThrownBy(() -> database.withLease(sql -> Sqlite.insert(sql, "lamp")))
                    .withMessageContaining("another process kept the write lock for more than 60 ms");
            assertThat((int) database.withReader(Sqlite::count)).isZero();

            statement.executeUpdate("ROLLBACK");
            int written = database.withLease(sql -> Sqlite.insert(sql, "lamp"));
            assertThat(written).isEqualTo(1);
        }
    }

    @Test
    void open_withoutItsFolder_saysWhatToCheck() {
        Path file = folder.resolve("missing/shop.db");
        assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> Database.sqlite(file).open())
                .withMessageStartingWith("database.file: " + file + " (expected: ")
                .withMessageContaining("the file or its folder cannot be opened: check that the folder exists");
    }

    @Test
    void open_ofAFolder_cannotOpen() throws Exception {
        Files.createDirectory(folder.resolve("shop.db"));
        assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> new Sqlite(folder).open())
                .withMessageContaining("cannot be opened");
    }

    @Test
    void open_ofSomethingElse_saysThatItIsNoDatabase() throws Exception {
        Path file = new Sqlite(folder).file();
        Files.writeString(file, "this is a letter, not a database, and longer than a header of one");
        assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> new Sqlite(folder).open())
                .withMessageStartingWith("database.file: " + file + " (expected: ")
                .withMessageContaining("restore it from a backup, or move it")
                .withMessageContaining("not a database");
    }

    @Test
    void open_ofADamagedFile_saysWhatToDo_alsoIfAMigrationFindsIt() throws Exception {
        var sqlite = new Sqlite(folder);
        sqlite.open().close();
        byte[] bytes = Files.readAllBytes(sqlite.file());
        Arrays.fill(bytes, 100, bytes.length, (byte) 0x5A);
        Files.write(sqlite.file(), bytes);
        for (DatabaseBuilder damaged :
                List.of(sqlite.builder(), sqlite.builder().migratedBy(source -> {
                    try (var connection = source.getConnection()) {
                        Sqlite.count(connection);
                    } catch (SQLException e) {
                        throw new IllegalStateException("migration failed", e);
                    }
                }))) {
            assertThatExceptionOfType(ConfigurationError.class)
                    .isThrownBy(damaged::open)
                    .withMessageStartingWith("database.file: " + sqlite.file())
                    .withMessageContaining("restore it from a backup");
        }
    }
}
