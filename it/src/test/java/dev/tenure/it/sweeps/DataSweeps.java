package dev.tenure.it.sweeps;

import dev.tenure.core.Scope;
import dev.tenure.db.Database;
import dev.tenure.db.Transaction;
import dev.tenure.http.Response;
import dev.tenure.jobs.JobType;
import dev.tenure.sim.Multipart;
import dev.tenure.sim.Request;
import dev.tenure.sim.Sim;
import dev.tenure.testkit.FakeSocket;
import dev.tenure.testkit.Violation;
import java.io.ByteArrayInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;

/// What a handler does with a database, blobs, jobs, uploads and an activity, each alone.
final class DataSweeps {
    private static final JobType<String> ECHO = JobType.text("echo");

    private DataSweeps() {}

    private static Sim notes(Sim sim) {
        return sim.migratedBy("notes", DataSweeps::createNotes);
    }

    private static void createNotes(DataSource source) throws SQLException {
        try (var sql = source.getConnection();
                var statement = sql.createStatement()) {
            statement.execute("create table note (text text not null, blob text)");
        }
    }

    private static int insert(Connection sql, String text, String blob) throws SQLException {
        try (var insert = sql.prepareStatement("insert into note (text, blob) values (?, ?)")) {
            insert.setString(1, text);
            insert.setString(2, blob);
            return insert.executeUpdate();
        }
    }

    private static int count(Connection sql) throws SQLException {
        try (var select = sql.prepareStatement("select count(*) from note");
                var rows = select.executeQuery()) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    /// Two rows or none.
    static void transaction(Sim sim) throws Exception {
        var database = notes(sim).database();
        sim.world().atTheEnd(() -> checkPairs(sim));
        try (var scope = Scope.open("request")) {
            database.commit(tx -> insert(tx.connection(), "first", "") + insert(tx.connection(), "second", ""));
            scope.checkpoint();
        }
    }

    private static void checkPairs(Sim sim) {
        if (sim.rows("select text from note").size() % 2 != 0) {
            sim.world()
                    .violated(
                            new Violation(7, 8, "note", "half of a transaction is visible", "commit once, at the end"));
        }
    }

    /// Two requests at once over one connection: one waits for the other's lease. Its waits are the core's, so that it
    /// is
    /// swept under other schedules too.
    static void rivals(Sim sim) throws Exception {
        var database = notes(sim).database();
        sim.world().atTheEnd(() -> checkPairs(sim));
        try (var scope = Scope.open("server")) {
            var one = scope.fork("one", () -> pair(database, "one"));
            var two = scope.fork("two", () -> pair(database, "two"));
            one.get();
            two.get();
        }
    }

    private static int pair(Database database, String text) throws Exception {
        return database.commit(tx -> insert(tx.connection(), text, "") + insert(tx.connection(), text + " again", ""));
    }

    /// A reader's lease, then a writer's, in autocommit.
    static void lease(Sim sim) throws Exception {
        var database = notes(sim).database();
        try (var scope = Scope.open("request")) {
            int seen = database.withReader(DataSweeps::count);
            database.withLease(sql -> insert(sql, "after " + seen, ""));
            scope.checkpoint();
        }
    }

    /// Two parts, one file at a time.
    static void multipart(Sim sim) throws Exception {
        var uploads = sim.uploads();
        var form = Multipart.file("a", new byte[2_000]).andFile("b", new byte[3_000]);
        sim.serve(
                exchange -> {
                    uploads.eachPart(exchange, part -> part.file().toFile().length());
                    return Response.status(204).empty();
                },
                Request.post("/parts", form));
    }

    /// Bytes and the row that refers to them.
    static void publish(Sim sim) throws Exception {
        var publisher = notes(sim).referredToBy("select blob from note").publisher();
        try (var scope = Scope.open("request")) {
            publisher.publish(
                    new ByteArrayInputStream(new byte[100]),
                    (tx, blob) -> insert(tx.connection(), "published", blob.key()));
            scope.checkpoint();
        }
    }

    /// Enqueued with the request's transaction, claimed after its commit, completed with the handler's.
    static void job(Sim sim) throws Exception {
        var row = new JobRow(sim);
        notes(sim).handling(ECHO, (run, _) -> {
            sim.database().commit(tx -> {
                run.complete(tx);
                return insert(tx.connection(), String.valueOf(run.id()), "");
            });
            row.completed();
        });
        var jobs = sim.jobs();
        sim.world().atTheEnd(() -> checkOnce(sim));
        try (var worker = sim.worker()) {
            request(sim, tx -> row.enqueued(jobs.enqueue(tx, ECHO.of("done"))));
            row.committed();
            worker.runDue();
        }
    }

    /// The row of one job: an owner's book entry without a handle.
    private static final class JobRow {
        private final Sim sim;
        private boolean known;

        JobRow(Sim sim) {
            this.sim = sim;
        }

        boolean enqueued(boolean added) {
            if (!known) {
                known = true;
                sim.world().opened("job row", this, "transaction that enqueues it");
                sim.world().atTheEnd(this::look);
            }
            return added;
        }

        void committed() {
            sim.world().passed(this, "worker of the jobs", "commit");
        }

        void completed() {
            sim.world().lost(this, "deletion in the handler's transaction"); // by its commit, not by a release
        }

        /// A job that no worker completed waits in its table, or was rolled back with its transaction.
        private void look() {
            sim.world().lost(this, "left to its table");
        }

        @Override
        public String toString() {
            return "job row";
        }
    }

    private interface Work {
        boolean in(Transaction tx) throws SQLException;
    }

    private static void request(Sim sim, Work work) throws Exception {
        try (var scope = Scope.open("request")) {
            sim.database().commit(work::in);
            scope.checkpoint();
        }
    }

    /// What a job did is visible exactly if the job is gone, and once.
    private static void checkOnce(Sim sim) {
        var twice = sim.rows("""
                select text from note where text in (select cast(id as text) from tenure_jobs)
                union all select text from note group by text having count(*) > 1""");
        if (!twice.isEmpty()) {
            sim.world()
                    .violated(new Violation(
                            7,
                            8,
                            "job",
                            "jobs are done and wait as well, or are done twice: " + twice,
                            "complete a job in the transaction that does it"));
        }
    }

    /// A connection that a cleanup of the activity closes, after its background work.
    static void activity(Sim sim) throws Exception {
        var host = sim.owner();
        host.activity("message", activity -> {
            var peer = new AtomicReference<FakeSocket>();
            activity.cleanup("peer", () -> close(peer));
            var late = activity.background("late work");
            try {
                peer.set(sim.world().socket("peer"));
                peer.get().write(10);
            } finally {
                late.run();
            }
            Scope.current().checkpoint();
            return 1;
        });
    }

    private static void close(AtomicReference<FakeSocket> peer) {
        FakeSocket open = peer.get();
        if (open != null) {
            open.close();
        }
    }
}
