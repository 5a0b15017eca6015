package dev.tenure.flyway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tenure.db.Database;
import dev.tenure.db.Migration;
import dev.tenure.host.ConfigurationError;
import dev.tenure.testkit.LeakCheck;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class FlywayTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("shop.db");
    }

    private Database open(Migration migration) throws Exception {
        return Database.sqlite(file()).readers(1).migratedBy(migration).open();
    }

    private List<String> query(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    private List<String> tables() throws SQLException {
        return query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'flyway%' ORDER BY name");
    }

    @Test
    void scripts_runOnceAtTheOpening() throws Exception {
        for (int start = 0; start < 2; start++) {
            try (var database = open(Flyway.scripts("good"))) {
                assertThat(tables()).containsExactly("item", "part");
                assertThat(query("SELECT name FROM item")).containsExactly("lamp");
                assertThat(query("SELECT version FROM flyway_schema_history WHERE success"))
                        .containsExactly("1", "2");
                database.withLease(sql -> sql.createStatement().executeUpdate("INSERT INTO part VALUES (1)"));
            }
        }
        assertThat(query("SELECT item FROM part")).hasSize(2);
    }

    @Test
    void scripts_sayNothingOnTheWay() throws Exception {
        var said = new ByteArrayOutputStream();
        PrintStream out = System.out;
        PrintStream err = System.err;
        try (var caught = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            System.setOut(caught);
            System.setErr(caught);
            open(Flyway.scripts("good")).close();
        } finally {
            System.setOut(out);
            System.setErr(err);
        }
        assertThat(said.toString(StandardCharsets.UTF_8).lines().filter(line -> !line.startsWith("SLF4J")))
                .isEmpty();
    }

    @Test
    void scriptThatFails_leavesNothingOfTheBatchAndSaysWhatToDo() throws Exception {
        assertThatExceptionOfType(MigrationFailed.class)
                .isThrownBy(() -> open(Flyway.scripts("broken")))
                .withMessageContaining("nothing of the new scripts was applied; correct the script and start again")
                .withMessageContaining("V3__fails.sql")
                .withMessageContaining("NOT NULL");
        assertThat(tables()).isEmpty();

        open(Flyway.scripts("good")).close();
        assertThat(tables()).containsExactly("item", "part");
        assertThat(query("SELECT name FROM item")).containsExactly("lamp");
    }

    @Test
    void scriptThatWasChangedAfterItRan_isRefused() throws Exception {
        open(Flyway.scripts("good")).close();
        assertThatExceptionOfType(MigrationFailed.class)
                .isThrownBy(() -> open(Flyway.scripts("broken")))
                .withMessageContaining("a script was changed after it had run")
                .withMessageContaining("V1__name.sql");
        assertThat(query("SELECT name FROM item")).containsExactly("lamp");
    }

    @Test
    void scriptThatIsMisnamed_isRefused() {
        assertThatExceptionOfType(MigrationFailed.class)
                .isThrownBy(() -> open(Flyway.scripts("badname")))
                .withMessageContaining("V1_items.sql");
    }

    @Test
    void folderWithoutScripts_isAConfigurationError() {
        assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> open(Flyway.scripts("nowhere")))
                .withMessage("flyway.scripts: nowhere (expected: a folder of the class path with V1__name.sql in it)");
        assertThatExceptionOfType(ConfigurationError.class)
                .isThrownBy(() -> Flyway.scripts("/db"))
                .withMessage("flyway.scripts: '/db' (expected: a folder of the class path, such as db)");
    }
}
