package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.core.Observer;
import dev.tenure.core.Outcome;
import dev.tenure.core.Scope;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class LeaseTest {
    @TempDir
    Path folder;

    private FaultDriver driver;
    private Sqlite sqlite;
    private Database database;

    @BeforeEach
    void open() throws Exception {
        driver = new FaultDriver();
        sqlite = new Sqlite(folder);
        database = sqlite.open(driver);
    }

    @AfterEach
    void close() {
        database.close();
    }

    private int insert(String name) throws SQLException {
        return database.withLease(sql -> Sqlite.insert(sql, name));
    }

    @Test
    void lease_writesAtOnceAndReaderSeesIt() throws Exception {
        assertThat(insert("lamp")).isEqualTo(1);

        assertThat((int) database.withReader(Sqlite::count)).isEqualTo(1);
        assertThat(sqlite.rows()).isEqualTo(1);
        assertThat(database.counts()).containsEntry("leases", 0L).containsEntry("lent", 2L);
    }

    @Test
    void lease_connectionTellsOfAutocommitAndForeignKeys() throws Exception {
        database.withLease(sql -> {
            assertThat(sql.getAutoCommit()).isTrue();
            assertThat(sql.isClosed()).isFalse();
            assertThat(sql.toString()).contains("guarded");
            assertThat(Set.of(sql, sql.createStatement())).hasSize(2).contains(sql);
            return one(sql, "PRAGMA foreign_keys");
        });
        assertThat((int) database.withReader(sql -> one(sql, "PRAGMA foreign_keys")))
                .isEqualTo(1);
        assertThat((int) database.withReader(sql -> one(sql, "PRAGMA busy_timeout")))
                .isZero();
        assertThat((int) database.withLease(sql -> one(sql, "PRAGMA synchronous")))
                .isEqualTo(2);
    }

    private static int one(Connection sql, String query) throws SQLException {
        try (var statement = sql.createStatement();
                var rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void reader_thatWrites_isToldWhereWritingBelongs() {
        assertThatExceptionOfType(LeaseRefusal.class)
                .isThrownBy(() -> database.withReader(sql -> Sqlite.insert(sql, "lamp")))
                .withMessageContaining("use withLease or inTransaction");
    }

    private interface Call {
        Object on(Connection sql) throws SQLException;
    }

    private static Call doing(String what) {
        return sql -> {
            switch (what) {
                case "close" -> sql.close();
                case "commit" -> sql.commit();
                case "rollback" -> sql.rollback();
                case "autocommit" -> sql.setAutoCommit(false);
                case "abort" -> sql.abort(Runnable::run);
                case "savepoint" -> sql.setSavepoint();
                case "isolation" -> sql.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
                case "readonly" -> sql.setReadOnly(true);
                case "begin by text" -> sql.createStatement().execute("/* now */ begin immediate");
                case "commit by text" -> sql.createStatement().executeUpdate("DELETE FROM item; -- x\n COMMIT");
                case "commit prepared" -> sql.prepareStatement("COMMIT").execute();
                case "commit in a batch" -> sql.createStatement().addBatch("COMMIT");
                case "cancel" -> sql.createStatement().cancel();
                default -> sql.createStatement().setQueryTimeout(1);
            }
            return what;
        };
    }

    @Test
    void lease_whatOnlyTheLenderMayDo_isRefusedAndTheLeaseLives() throws Exception {
        var refused = new ArrayList<String>();
        for (var what : new String[] {
            "close",
            "commit",
            "rollback",
            "autocommit",
            "abort",
            "savepoint",
            "isolation",
            "readonly",
            "begin by text",
            "commit by text",
            "commit prepared",
            "commit in a batch",
            "cancel",
            "timeout"
        }) {
            database.withLease(sql -> {
                assertThatExceptionOfType(LeaseRefusal.class)
                        .as(what)
                        .isThrownBy(() -> doing(what).on(sql))
                        .withMessageContaining("database 'shop', writer lease of 'main'")
                        .withMessageContaining("is not the borrower's");
                refused.add(what);
                return Sqlite.insert(sql, what);
            });
        }
        assertThat(sqlite.rows()).isEqualTo(refused.size()).isEqualTo(14);
        assertThat(driver.count("COMMIT")).isZero();
        assertThat(database.counts()).containsEntry("leases", 0L);
    }

    @Test
    void lease_unwrapAndStatementConnection_leadToTheGuardOnly() throws Exception {
        database.withLease(sql -> {
            var statement = sql.prepareStatement("SELECT 1");
            assertThat(statement.getConnection()).isSameAs(sql);
            assertThat(statement.executeQuery().getStatement()).isSameAs(statement);
            assertThat(sql.getMetaData().getConnection()).isSameAs(sql);
            assertThat(sql.unwrap(Connection.class)).isSameAs(sql);
            assertThat(sql.isWrapperFor(org.sqlite.SQLiteConnection.class)).isFalse();
            assertThatExceptionOfType(SQLException.class)
                    .isThrownBy(() -> sql.unwrap(org.sqlite.SQLiteConnection.class));
            return true;
        });
    }

    /// SQLite's driver answers with the statement or the result set itself.
    @Test
    void lease_metaData_tellsOfColumnsAndLeadsNowhere() throws Exception {
        var kept = new AtomicReference<ResultSetMetaData>();
        database.withLease(sql -> {
            var statement = sql.prepareStatement("SELECT id, name FROM item WHERE id = ?");
            var parameters = statement.getParameterMetaData();
            var columns = statement.getMetaData();
            var rows = statement.executeQuery().getMetaData();
            assertThat(parameters.getParameterCount()).isEqualTo(1);
            assertThat(columns.getColumnName(2)).isEqualTo("name");
            assertThat(rows.getColumnCount()).isEqualTo(2);
            for (Wrapper about : new Wrapper[] {parameters, columns, rows}) {
                assertThat(about).isNotInstanceOfAny(Statement.class, ResultSet.class);
                assertThat(about.isWrapperFor(Statement.class)).isFalse();
            }
            kept.set(rows);
            return true;
        });
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> kept.get().getColumnCount());
    }

    @Test
    void lease_thatComesBackInsideATransaction_isRolledBackEvictedAndTold() throws Exception {
        var told = new ArrayList<String>();
        var watched = new FaultDriver();
        try (var other =
                sqlite.builder().through(watched::wrap).open(TimeSource.system(), Timers.system(), ear(told))) {
            other.withLease(sql -> {
                try (var raw = watched.real().getFirst().createStatement()) {
                    raw.executeUpdate("BEGIN");
                }
                return Sqlite.insert(sql, "lost");
            });
            int written = other.withLease(sql -> Sqlite.insert(sql, "kept"));
            assertThat(written).isEqualTo(1);
            assertThat(sqlite.rows()).as("durable").isEqualTo(1);
            assertThat(watched.closed()).isEqualTo(1);
            assertThat(told).singleElement().asString().contains("writer lease of 'main'", "left a transaction open");
        }
    }

    @Test
    void lease_transactionWordsAfterCreate_areRefused() throws Exception {
        for (String text : List.of("create index if not exists i on item(name); begin", "\uFEFFCOMMIT")) {
            database.withLease(sql -> {
                assertThatExceptionOfType(LeaseRefusal.class)
                        .isThrownBy(() -> sql.createStatement().executeUpdate(text));
                return true;
            });
        }
        insert("lamp");
        assertThat(sqlite.rows()).isEqualTo(1);
    }

    private static Observer ear(List<String> told) {
        return new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                told.add(String.valueOf(failure.getMessage()));
            }
        };
    }

    @Test
    void lease_escaped_isDead() throws Exception {
        var connection = new AtomicReference<Connection>();
        var statement = new AtomicReference<PreparedStatement>();
        var rows = new AtomicReference<ResultSet>();
        database.withReader(sql -> {
            connection.set(sql);
            statement.set(sql.prepareStatement("SELECT 1"));
            rows.set(statement.get().executeQuery());
            return true;
        });

        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> connection.get().createStatement())
                .withMessageContaining("reader lease of 'main'")
                .withMessageContaining("the lease has ended");
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> statement.get().executeQuery());
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> rows.get().next());
        assertThatExceptionOfType(LeaseEscaped.class)
                .isThrownBy(() -> rows.get().getInt(1));
        assertThat(connection.get().isClosed()).isTrue();
        assertThat(statement.get().isClosed()).isTrue();
        statement.get().close();
        rows.get().close();
    }

    @Test
    void lease_nested_isRefusedAndTheFirstLives() throws Exception {
        database.withLease(sql -> {
            for (var nested : new Call[] {
                _ -> database.withLease(Sqlite::count),
                _ -> database.withReader(Sqlite::count),
                _ -> database.inTransaction(tx -> Sqlite.count(tx.connection()))
            }) {
                assertThatExceptionOfType(NestedLease.class)
                        .isThrownBy(() -> nested.on(sql))
                        .withMessageContaining("use the one it has");
            }
            return Sqlite.insert(sql, "lamp");
        });
        assertThat(sqlite.rows()).isEqualTo(1);
    }

    @Test
    void lease_usedByAnotherThread_isRefusedAndTheLeaseLives() throws Exception {
        int written = database.withLease(sql -> {
            var statement = sql.prepareStatement("INSERT INTO item (name) VALUES ('lamp')");
            assertThat(refusedElsewhere("thief", sql::createStatement))
                    .hasMessageContaining("by thread 'thief': it was lent to thread 'main'");
            refusedElsewhere("user", statement::executeUpdate);
            refusedElsewhere("closer", () -> {
                statement.close();
                return true;
            });
            return statement.executeUpdate();
        });
        assertThat(written).isEqualTo(1);
        assertThat(sqlite.rows()).isEqualTo(1);
    }

    private static WrongThreadLease refusedElsewhere(String thread, Callable<Object> use) {
        try (var scope = Scope.open("share")) {
            var task = scope.fork(thread, use);
            return (WrongThreadLease) ((Outcome.Failed<Object>) task.join()).primary();
        }
    }

    @Test
    void lease_statementsLeftOpen_areClosedWithIt() throws Exception {
        database.withLease(sql -> {
            sql.createStatement().execute("INSERT INTO item (name) VALUES ('lamp')");
            sql.prepareStatement("SELECT * FROM item").executeQuery().next();
            return sql.createStatement().executeQuery("SELECT 1").next();
        });
        assertThat(database.inTransaction(tx -> Sqlite.insert(tx.connection(), "chair"))
                        .end())
                .isEqualTo(CommitOutcome.End.COMMITTED);
        assertThat(driver.closed()).isZero();
        assertThat(sqlite.rows()).isEqualTo(2);
    }

    @Test
    void lease_thatChangedSettings_isNotLentAgain() throws Exception {
        database.withLease(sql -> sql.createStatement().execute("PRAGMA foreign_keys = OFF"));

        assertThat(driver.closed()).isEqualTo(1);
        assertThat((int) database.withLease(sql -> one(sql, "SELECT 1"))).isEqualTo(1);
        assertThat((int) database.withLease(sql -> one(sql, "PRAGMA foreign_keys")))
                .isEqualTo(1);
    }

    @Test
    void lease_whoseBodyThrows_comesBackAndThrowsTheSame() throws Exception {
        var failure = new IllegalStateException("mine");

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> database.withLease(_ -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(database.counts()).containsEntry("leases", 0L);
        assertThat(insert("lamp")).isEqualTo(1);
    }

    @Test
    void lease_whatTheBodyLeftToItsScope_endsBeforeTheLease() throws Exception {
        var seen = new ArrayList<Integer>();
        database.withLease(sql -> {
            Scope.current().own((AutoCloseable) () -> seen.add(Sqlite.insert(sql, "late")));
            return true;
        });
        assertThat(seen).containsExactly(1);
        assertThat(sqlite.rows()).isEqualTo(1);
    }

    @Test
    void afterClose_borrowersAreRefused() {
        database.close();
        for (var late : new Call[] {
            _ -> database.withLease(Sqlite::count),
            _ -> database.withReader(Sqlite::count),
            _ -> database.inTransaction(tx -> Sqlite.count(tx.connection()))
        }) {
            assertThatExceptionOfType(DatabaseClosed.class)
                    .isThrownBy(() -> late.on(null))
                    .withMessage("database 'shop' is closed and lends nothing more");
        }
    }
}
