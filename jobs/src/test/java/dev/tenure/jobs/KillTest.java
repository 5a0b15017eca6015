package dev.tenure.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.ChildJvm.Signal;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `kill -9` of the process, then a new one on the same file.
@ExtendWith(LeakCheck.class)
class KillTest {
    @TempDir
    Path directory;

    /// Transactions of the child: 1 makes the table, 2 is the order, 3 the claim, 4 the shipment with its completion.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "enqueue/job:after#1",
                "commit/tx:before#2",
                "commit/tx:after#2",
                "claim/job:before#1",
                "commit/tx:after#3",
                "claim/job:after#1",
                "complete/job:before#1",
                "complete/job:after#1",
                "commit/tx:before#4",
                "commit/tx:after#4",
                "done/job:before#1"
            })
    void killedAt_anOrderIsShippedOnce_orWasNeverMade(String point) throws Exception {
        try (var child = start("exclusive", "order", point)) {
            child.awaitLine("at " + point);
            child.signal(Signal.KILL);
            child.awaitExit();
        }
        var ordered = texts("select id from orders");
        if (!jobs().isEmpty()) {
            try (var child = start("exclusive", "work", "none")) {
                child.awaitLine("shipped");
            }
        }
        assertThat(texts("select order_id from shipped")).isEqualTo(ordered);
        assertThat(jobs()).isEmpty();
    }

    @Test
    void killedWhileRunning_notExclusive_theClaimIsFreeAfterTheHeartbeatWindow() throws Exception {
        try (var child = start("shared", "order", "complete/job:before#1")) {
            child.awaitLine("at complete/job:before#1");
            child.signal(Signal.KILL);
            child.awaitExit();
        }
        assertThat(jobs()).containsExactly("RUNNING 1");
        try (var child = start("shared", "work", "none")) {
            child.awaitLine("shipping, attempt 2");
            child.awaitLine("shipped");
        }
        assertThat(texts("select order_id from shipped")).containsExactly("1");
        assertThat(jobs()).isEmpty();
    }

    private ChildJvm start(String mode, String work, String point) {
        return ChildJvm.start(KillChild.class, directory.toString(), mode, work, point);
    }

    private List<String> jobs() throws SQLException {
        return texts("select state || ' ' || attempt from tenure_jobs");
    }

    private List<String> texts(String query) throws SQLException {
        try (var sql = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("kill.db"));
                var statement = sql.createStatement();
                var rows = statement.executeQuery(query)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }
}
