package dev.tenure.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.blobs.DirectoryBlobs;
import dev.tenure.core.Scope;
import dev.tenure.db.Database;
import dev.tenure.host.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The programs of the pages do what the pages say.
class OrdersTest {
    @Test
    @Timeout(60)
    void placed_invoiced_attached(@TempDir Path folder) throws Exception {
        try (var host = Host.named("orders").signals(false).start()) {
            var database = host.own(Database.sqlite(folder.resolve("orders.db")));
            var blobs = host.own(DirectoryBlobs.in(folder.resolve("blobs")).referencedBy(keys -> new HashSet<>(keys)));
            database.inTransaction(tx -> tx.connection().createStatement().execute("create table notes (id, state)"))
                    .orThrow();
            var jobs = Orders.open(host, database);
            Orders.place(database, jobs, "first");
            try (var scope = Scope.open("attach")) {
                Orders.attach(database, blobs, jobs, Files.writeString(folder.resolve("slip"), "slip"));
                assertThat(scope.cancelled()).isEmpty();
            }
            while (states(database).size() < 4) {
                Thread.onSpinWait();
            }
            assertThat(states(database)).containsExactly("attached", "invoiced", "invoiced", "placed");
        }
    }

    private static List<String> states(Database database) throws SQLException {
        return database.withReader(OrdersTest::readStates);
    }

    private static List<String> readStates(Connection sql) throws SQLException {
        var states = new ArrayList<String>();
        try (var query = sql.createStatement();
                var rows = query.executeQuery("select state from notes order by state")) {
            while (rows.next()) {
                states.add(rows.getString(1));
            }
        }
        return states;
    }
}
