package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.db.CommitOutcome.End;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

@ExtendWith(LeakCheck.class)
class DatabaseBuilderTest {
    @TempDir
    Path folder;

    @Test
    void setting_thatCannotWork_isRefusedWithKeyValueAndRange() {
        Map<String, Consumer<DatabaseBuilder>> wrong = Map.of(
                "database.readers: 0 (expected: 1 to 64)", builder -> builder.readers(0),
                "database.connections: 1025 (expected: 1 to 1024)", builder -> builder.connections(1025),
                "database.waitersMax: -1 (expected: 1 to 1000000)", builder -> builder.waitersMax(-1),
                "database.leaseTimeout: PT0S (expected: more than PT0S, at most P1D)",
                        builder -> builder.leaseTimeout(Duration.ZERO),
                "database.lockTimeout: PT48H (expected: more than PT0S, at most P1D)",
                        builder -> builder.lockTimeout(Duration.ofDays(2)),
                "database.name: ' ' (expected: not blank)", builder -> builder.named(" "));
        wrong.forEach((message, setting) -> assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> setting.accept(new Sqlite(folder).builder()))
                .withMessage(message));
        assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> Database.sqlite(folder.resolve("a?b.db")))
                .withMessageEndingWith("a?b.db (expected: the path of a file, without '?')");
    }

    @Test
    void name_isTheFilesUnlessGiven() throws Exception {
        try (var database = new Sqlite(folder).open()) {
            assertThat(database.name()).isEqualTo("database 'shop'");
        }
        try (var database = new Sqlite(folder).builder().named("orders").open()) {
            assertThat(database.name()).isEqualTo("database 'orders'");
        }
    }

    @Test
    void host_ownsAndClosesIt() throws Exception {
        Database database;
        try (var host = Host.named("test").signals(false).start()) {
            database = host.own(new Sqlite(folder).builder());
            assertThat(database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                            .end())
                    .isEqualTo(End.COMMITTED);
        }
        assertThat(database).hasToString("database 'shop' CLOSED");
    }

    @Test
    void over_aBorrowedSource_lendsItsConnectionsAndGivesEachBack() throws Exception {
        var sqlite = new Sqlite(folder);
        sqlite.open().close();
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + sqlite.file());
        var driver = new FaultDriver();
        try (var database =
                Database.over(driver.wrap(source)).named("lent").connections(1).open()) {
            assertThat(database.inTransaction(tx -> Sqlite.insert(tx.connection(), "lamp"))
                            .end())
                    .isEqualTo(End.COMMITTED);
            assertThat(database.inTransaction(tx -> {
                                Sqlite.insert(tx.connection(), "chair");
                                throw new IllegalStateException("mine");
                            })
                            .end())
                    .isEqualTo(End.ROLLED_BACK);
            int written = database.withLease(sql -> Sqlite.insert(sql, "table"));
            assertThat(written).isEqualTo(1);
            assertThat((int) database.withReader(Sqlite::count)).isEqualTo(2);
        }
        assertThat(driver.closed()).isEqualTo(4);
        assertThat(sqlite.rows()).isEqualTo(2);
    }

    @Test
    void over_aBorrowedSource_isReportedAsNotOwned() throws Exception {
        new Sqlite(folder).open().close();
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + new Sqlite(folder).file());
        try (var host = Host.named("test").signals(false).start()) {
            var database = host.own(Database.over(source).named("lent"));
            assertThat((int) database.withReader(Sqlite::count)).isZero();

            var report = host.stopAndWait();
            assertThat(report.component("database 'lent'").orElseThrow().outcome())
                    .isEqualTo(ShutdownReport.Outcome.COMPLETED);
            assertThat(report.component("data source of database 'lent'")
                            .orElseThrow()
                            .outcome())
                    .isEqualTo(ShutdownReport.Outcome.NOT_OWNED);
        }
    }

    @Test
    void over_aSourceThatFails_saysSo() throws Exception {
        var driver = new FaultDriver();
        var source = driver.failToOpen(new SQLiteDataSource());
        try (var database = Database.over(source).open()) {
            assertThat((int) database.withReader(_ -> 1)).isEqualTo(1);
            assertThatExceptionOfType(StorageUnavailable.class)
                    .isThrownBy(() -> database.withReader(_ -> 2))
                    .withCauseInstanceOf(SQLException.class)
                    .withMessageContaining("capacity 4, leased 1, waiting 0");
            assertThat(database.counts()).containsEntry("leases", 0L);
        }
    }
}
