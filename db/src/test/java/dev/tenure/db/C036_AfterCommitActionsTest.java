package dev.tenure.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.db.CommitOutcome.End;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.nio.file.Path;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C036: actions of a transaction that was rolled back never fire at a later commit. There are no savepoints, so that
/// clause has nothing to fail; the relay of the last one is the fault driver.
@ExtendWith(LeakCheck.class)
class C036_AfterCommitActionsTest {
    @TempDir
    Path folder;

    private final Trail trail = new Trail();
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

    private OutcomeListener afterCommit(String action) {
        return end -> {
            if (end == End.COMMITTED) {
                trail.add("action " + action);
            } else {
                trail.add(action + " " + end);
            }
        };
    }

    private End run(String action, boolean fail) {
        return database.inTransaction(tx -> {
                    tx.onOutcome(afterCommit(action));
                    if (fail) {
                        throw new IllegalStateException("rolled back");
                    }
                    return Sqlite.insert(tx.connection(), action);
                })
                .end();
    }

    @Test
    void C036_actionOfARolledBackTransaction_neverFires() throws Exception {
        assertThat(run("1", true)).isEqualTo(End.ROLLED_BACK);
        assertThat(run("2", false)).isEqualTo(End.COMMITTED);
        assertThat(run("3", false)).isEqualTo(End.COMMITTED);

        trail.mustBe("1 ROLLED_BACK", "action 2", "action 3");
        assertThat(sqlite.rows()).isEqualTo(2);
    }

    @Test
    void C036_nothingCrossesToTheNextBorrowerOfTheSameConnection() throws Exception {
        assertThat(run("mine", true)).isEqualTo(End.ROLLED_BACK);
        database.withLease(sql -> Sqlite.insert(sql, "plain"));
        var next = Thread.ofVirtual().start(() -> run("theirs", false));
        next.join();

        trail.mustBe("mine ROLLED_BACK", "action theirs");
        assertThat(driver.transcript().stream().filter(event -> event.contains("INSERT")))
                .hasSize(2)
                .allSatisfy(event -> assertThat(event).startsWith("1 "));
    }

    @Test
    void C036_afterAnUnknownCommit_onlyTheUnknownActionFires() throws Exception {
        driver.after("COMMIT", () -> {
            throw new SQLException("the reply never came", "08006");
        });
        assertThat(run("lost", false)).isEqualTo(End.UNKNOWN);
        assertThat(run("next", false)).isEqualTo(End.COMMITTED);

        trail.mustBe("lost UNKNOWN", "action next");
    }
}
