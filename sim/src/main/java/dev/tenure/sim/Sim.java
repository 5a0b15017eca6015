package dev.tenure.sim;

import dev.tenure.blobs.Blobs;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Scope;
import dev.tenure.db.Database;
import dev.tenure.db.Migration;
import dev.tenure.host.Component;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.host.ShutdownReport;
import dev.tenure.http.Exchange;
import dev.tenure.http.Handler;
import dev.tenure.http.Response;
import dev.tenure.jobs.JobHandler;
import dev.tenure.jobs.JobPolicy;
import dev.tenure.jobs.JobType;
import dev.tenure.jobs.Jobs;
import dev.tenure.publish.Publisher;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.Violation;
import dev.tenure.testkit.World;
import dev.tenure.uploads.Uploads;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a handler needs, in one world of a sweep: a real database, real jobs and real uploads over fakes that fire
/// points, count by themselves and meet every fault.
///
/// **Owner:** the sweep; make no second one in a run. **Ends:** with the run, by the real stop of a real host, which
/// must be graceful and leave nothing. **Threads:** the scenario's, one at a time. **Limits:** one connection to the
/// database; request bodies come in three pieces. **Source:** design 9.
public final class Sim {
    /// A component that had no processor for so long in real time has not failed.
    private static final String SLOW_ANSWER = "did not say within";

    private final World world;
    private final Map<String, byte[]> templates;
    private final FakeBlobs blobs;
    private final List<Handling<?>> handlings = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();
    private Migration migration = _ -> {};
    private String template = "empty";
    private boolean stopsByHand;
    private @Nullable SimHost host;
    private @Nullable SqlStore store;
    private @Nullable Database database;
    private @Nullable Jobs jobs;
    private @Nullable Uploads uploads;

    private record Handling<T>(JobType<T> type, JobHandler<? super T> handler, JobPolicy policy) {
        void on(dev.tenure.jobs.JobsBuilder builder) {
            builder.handling(type, handler, policy);
        }
    }

    /// What a later run of the same world finds.
    private static final class Kept {
        private byte[] sql = new byte[0];
    }

    Sim(World world, Map<String, byte[]> templates) {
        this.world = world;
        this.templates = templates;
        this.blobs = world.part(FakeBlobs.class, FakeBlobs::new);
        world.atTheEnd(this::end);
    }

    // ---- what handlers are given ----

    /// The fakes below.
    ///
    /// @return the world of this run
    public World world() {
        return world;
    }

    /// The clock of the world, which moves only when all wait.
    ///
    /// @return the same one at every call
    public FakeClock clock() {
        return world.clock();
    }

    /// Brings the database's schema up before it is opened.
    ///
    /// @param name of the schema: it is made once for each name, however often the scenario runs
    /// @param step makes it
    /// @return this
    public Sim migratedBy(String name, Migration step) {
        template = name;
        migration = step;
        return this;
    }

    /// A real database on SQLite in memory. Its one connection is lent by a fake driver.
    ///
    /// @return the same one at every call
    public Database database() {
        Database open = database;
        if (open == null) {
            SqlStore below = store();
            open = own(Database.over(below).named("sim").connections(1));
            database = open;
        }
        return open;
    }

    private SqlStore store() {
        SqlStore open = store;
        if (open == null) {
            open = Outside.run(this::openStore);
            store = open;
        }
        return open;
    }

    private SqlStore openStore() throws Exception {
        Kept kept = world.part(Kept.class, _ -> new Kept());
        byte[] content = kept.sql;
        if (content.length == 0) {
            byte[] known = templates.get(template);
            content = known == null ? SqlStore.migrated(migration) : known;
            templates.put(template, content);
        }
        return SqlStore.open(world, content);
    }

    /// Blobs in memory.
    ///
    /// @return the same ones at every call
    public Blobs blobs() {
        return blobs;
    }

    /// Says how a type of job is done, before [#jobs()] is asked for.
    ///
    /// @param <T> the payload
    /// @param type the kind of job
    /// @param handler does the work
    /// @return this
    public <T> Sim handling(JobType<T> type, JobHandler<? super T> handler) {
        handlings.add(new Handling<>(type, handler, JobPolicy.standard()));
        return this;
    }

    /// Real jobs on the database. Nothing runs them but [#worker()].
    ///
    /// @return the same ones at every call
    public Jobs jobs() {
        Jobs open = jobs;
        if (open == null) {
            var builder = Jobs.on(database());
            handlings.forEach(handling -> handling.on(builder));
            open = own(builder);
            jobs = open;
        }
        return open;
    }

    /// Starts the worker of the jobs, which takes a turn when it is told to. Once in a run.
    ///
    /// @return to be closed before the scenario ends
    public JobWorker worker() {
        Jobs open = jobs();
        return JobWorker.start(host(), world, open);
    }

    /// Real uploads, through real files in a directory of this run.
    ///
    /// @return the same ones at every call
    public Uploads uploads() {
        Uploads open = uploads;
        if (open == null) {
            Path parts = host().directory("parts");
            open = own(Uploads.in(parts));
            uploads = open;
        }
        return open;
    }

    /// The real publisher, over [#database()] and [#blobs()].
    ///
    /// @return a new one
    public Publisher publisher() {
        return Publisher.of(database(), blobs()).observedBy(observer());
    }

    /// Hears of failures that no caller sees; the sweep takes them as told.
    ///
    /// @return for components of your own
    public Observer observer() {
        return host().observer();
    }

    /// Opens a part of your own in the host of this run.
    ///
    /// @param <T> the component
    /// @param part a builder
    /// @return the open component
    public <T extends Component> T own(Part<T> part) {
        Host owner = host().host();
        return Outside.run(() -> owner.own(part));
    }

    /// The host of this run, for activities and for components of your own. The sim stops it after the run.
    ///
    /// @return the same one at every call
    public Host owner() {
        return host().host();
    }

    /// Leaves the stop of the host to the scenario, which calls [#stop()] on every path. To be called first.
    ///
    /// @return this
    public Sim stoppedByHand() {
        stopsByHand = true;
        return this;
    }

    /// Stops the host on this thread, so that what its components do at a stop fires points and meets faults.
    ///
    /// @return the report
    public ShutdownReport stop() {
        SimHost open = host();
        if (!stopsByHand) {
            throw new IllegalStateException("sim: stop() without stoppedByHand() first");
        }
        Outside.run(() -> {
            endWorker(open);
            return true;
        });
        return open.stopHere();
    }

    private SimHost host() {
        SimHost open = host;
        if (open == null) {
            open = Outside.run(() -> SimHost.open(world, stopsByHand));
            host = open;
        }
        return open;
    }

    // ---- requests ----

    /// Gives a request to a handler, in a scope as the server opens one, and ends its activity and the scope.
    ///
    /// @param handler answers
    /// @param request the request
    /// @return the answer; a body that it streams is not produced
    /// @throws Exception as the handler does: here no failure becomes a status
    public Response serve(Handler handler, Request request) throws Exception {
        SimHost owner = host();
        try (var scope = Scope.open(request.route())) {
            var exchange = new FakeExchange(request, scope, () -> owner.host().openActivity(request.route()));
            Response answer;
            try {
                answer = handler.handle(exchange);
            } catch (Throwable primary) {
                ended(exchange, Optional.of(primary));
                throw primary;
            }
            ended(exchange, Optional.empty());
            return answer;
        }
    }

    private static void ended(FakeExchange exchange, Optional<Throwable> primary) {
        try {
            exchange.over();
        } catch (RuntimeException | Error failure) {
            primary.ifPresentOrElse(first -> first.addSuppressed(failure), () -> {
                throw failure;
            });
        }
    }

    /// A request for a handler that is called directly. Its scope is open until the scenario has ended, and its
    /// activity too.
    ///
    /// @param request the request
    /// @return the exchange
    @SuppressWarnings("MustBeClosedChecker") // closed after the scenario
    public Exchange exchange(Request request) {
        SimHost owner = host();
        var scope = Scope.open(request.route());
        world.afterwards(scope::close);
        var exchange = new FakeExchange(request, scope, () -> owner.host().openActivity(request.route()));
        world.afterwards(exchange::over);
        return exchange;
    }

    /// The same, with a form posted.
    ///
    /// @param form the body
    /// @return the exchange
    public Exchange exchange(Multipart form) {
        return exchange(Request.post("/", form));
    }

    // ---- after each run ----

    /// Says which rows refer to blobs. After each run every key among them must have its bytes, and all bytes must be
    /// referred to, but for those that were left to the reclaimer.
    ///
    /// @param query selects the keys, in one column
    /// @return this
    public Sim referredToBy(String query) {
        checks.add(() -> checkReferences(query));
        return this;
    }

    private void checkReferences(String query) {
        List<String> referred = rows(query);
        for (String key : referred) {
            if (!blobs.keys().contains(key)) {
                world.violated(new Violation(
                        7,
                        8,
                        "blob bytes",
                        "a row refers to blob '%s', which is gone".formatted(key),
                        "discard bytes only when the transaction has definitely not committed"));
            }
        }
        for (String key : blobs.keys()) {
            if (!referred.contains(key) && !blobs.isLeft(key)) {
                world.violated(new Violation(
                        7,
                        8,
                        "blob bytes",
                        "no row refers to blob '%s', and nobody will delete it".formatted(key),
                        "discard what was placed when the transaction rolls back"));
            }
        }
    }

    /// What is in the database now, past all fakes: for checks.
    ///
    /// @param query selects one column
    /// @return its texts, in order
    public List<String> rows(String query) {
        SqlStore open = store;
        if (open == null) {
            return List.of();
        }
        try (var statement = open.physical().createStatement();
                var rows = statement.executeQuery(query)) {
            var found = new ArrayList<String>();
            while (rows.next()) {
                found.add(String.valueOf(rows.getString(1)));
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException("sim: the check '%s' failed: %s".formatted(query, e.getMessage()), e);
        }
    }

    /// The last of a run: the checks, the stop of the host, and the end of the database.
    private void end() {
        checks.forEach(Runnable::run);
        checks.clear();
        SimHost open = host;
        host = null;
        if (open != null) {
            Outside.run(() -> stopped(open));
        }
        SqlStore below = store;
        store = null;
        if (below != null) {
            Outside.run(() -> kept(below));
        }
    }

    /// The worker ends without looking for work once more.
    private void endWorker(SimHost open) {
        Jobs known = jobs;
        jobs = null;
        if (known != null) {
            var _ = known.close(Deadline.in(Duration.ZERO, clock()));
            open.threads().takeWorker().ifPresent(Runnable::run);
        }
    }

    private boolean stopped(SimHost open) throws IOException {
        endWorker(open);
        ShutdownReport report = open.stop();
        if (stopsByHand) {
            return true;
        }
        boolean graceful = report.completion() == ShutdownReport.Completion.GRACEFUL;
        if (!graceful && !report.toText().contains(SLOW_ANSWER)) {
            world.violated(new Violation(
                    10,
                    10,
                    "host",
                    "the stop after the run was not graceful: " + report.toText(),
                    "give back what was taken on every path"));
        }
        return true;
    }

    private boolean kept(SqlStore below) throws SQLException {
        world.part(Kept.class, _ -> new Kept()).sql = below.content();
        below.close();
        return true;
    }
}
