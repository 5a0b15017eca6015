package dev.tenure.jobs;

import dev.tenure.db.Database;
import dev.tenure.host.Host;
import dev.tenure.testkit.Probes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// A process with a worker, to be killed.
///
/// Arguments: the folder; `exclusive` or `shared`; `order`, which inserts an order with a job, or `work`, which
/// only works; and the point at which everything stops, such as `claim/job:after#1`, or `none`.
final class KillChild {
    private static final JobType<String> SHIP = JobType.text("ship");

    private KillChild() {}

    public static void main(String[] arguments) throws Exception {
        var file = Path.of(arguments[0], "kill.db");
        var halt = new Halt(arguments[3]);
        try (var host = Host.named("kill").signals(false).start()) {
            var database = host.own(Database.sqlite(file).migratedBy(source -> {
                try (var sql = source.getConnection();
                        var statement = sql.createStatement()) {
                    statement.execute("create table if not exists orders (id integer primary key)");
                    statement.execute("create table if not exists shipped (order_id integer)");
                }
            }));
            var _ = Probes.install(halt::at);
            var builder = Jobs.on(database).heartbeat(Duration.ofMillis(50));
            if (arguments[1].equals("exclusive")) {
                builder.exclusive();
            }
            var jobs = host.own(builder.handling(SHIP, (run, id) -> {
                System.out.println("shipping, attempt " + run.attempt());
                database.inTransaction(tx -> {
                            try (var statement = tx.connection().createStatement()) {
                                statement.executeUpdate("insert into shipped values (" + id + ")");
                            }
                            run.complete(tx);
                            return id;
                        })
                        .orThrow();
                System.out.println("shipped");
            }));
            if (arguments[2].equals("order")) {
                database.inTransaction(tx -> {
                            try (var statement = tx.connection().createStatement()) {
                                statement.executeUpdate("insert into orders values (1)");
                            }
                            return jobs.enqueue(tx, SHIP.of("1").keyed("1"));
                        })
                        .orThrow();
                System.out.println("ordered");
            }
            new CountDownLatch(1).await();
        }
    }

    /// Stops for ever whoever reaches the point, and says so.
    private static final class Halt {
        private final String point;
        private final int nth;
        private final AtomicInteger reached = new AtomicInteger();

        Halt(String at) {
            int mark = at.indexOf('#');
            point = mark < 0 ? at : at.substring(0, mark);
            nth = mark < 0 ? 0 : Integer.parseInt(at.substring(mark + 1));
        }

        void at(String name) {
            if (name.equals(point) && reached.incrementAndGet() == nth) {
                System.out.println("at " + point + "#" + nth);
                await(new CountDownLatch(1));
            }
        }

        private static void await(CountDownLatch never) {
            while (true) {
                try {
                    never.await();
                } catch (InterruptedException _) {
                    // Only a kill ends it.
                }
            }
        }
    }
}
