package dev.tenure.it.docs;

import dev.tenure.blobs.Blobs;
import dev.tenure.db.Database;
import dev.tenure.db.Transaction;
import dev.tenure.host.Host;
import dev.tenure.jobs.JobType;
import dev.tenure.jobs.Jobs;
import dev.tenure.publish.Publisher;
import java.nio.file.Path;
import java.sql.SQLException;

/// The programs of the pages on jobs and publishing.
final class Orders {
    // tag::jobs
    static final JobType<String> INVOICE = JobType.text("invoice");

    static Jobs open(Host host, Database database) {
        return host.own(Jobs.on(database).handling(INVOICE, (run, order) -> {
            database.commit(tx -> {
                note(tx, order, "invoiced");
                run.complete(tx); // the job is done if, and only if, its result is there
                return order;
            });
        }));
    }

    static void place(Database database, Jobs jobs, String order) throws Exception {
        database.commit(tx -> {
            note(tx, order, "placed");
            jobs.enqueue(tx, INVOICE.of(order).keyed(order)); // at commit the worker owns it
            return order;
        }); // reached only when committed
    }
    // end::jobs

    // tag::publish
    static void attach(Database database, Blobs blobs, Jobs jobs, Path file) throws Exception {
        Publisher.of(database, blobs).publish(file, (tx, blob) -> { // staged, placed; now inside the transaction
            note(tx, blob.key(), "attached");
            jobs.enqueue(tx, INVOICE.of(blob.key()));
        }); // reached only when committed
    }
    // end::publish

    private Orders() {}

    private static void note(Transaction tx, String order, String state) throws SQLException {
        try (var row = tx.connection().prepareStatement("insert into notes (id, state) values (?, ?)")) {
            row.setString(1, order);
            row.setString(2, state);
            row.executeUpdate();
        }
    }
}
