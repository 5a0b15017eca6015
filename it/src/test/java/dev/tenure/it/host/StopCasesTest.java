package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Scope;
import dev.tenure.db.Database;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;
import dev.tenure.jobs.JobRun;
import dev.tenure.jobs.JobType;
import dev.tenure.jobs.Jobs;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// The cases of stop and start, with a real server, database and worker.
@Timeout(90)
class StopCasesTest {
    private static final JobType<String> WORK = JobType.text("work");

    @RegisterExtension
    final LeakCheck leaks = new LeakCheck();

    @TempDir
    Path directory;

    private final Trail trail = new Trail(Duration.ofSeconds(30));

    // ---- C040 ----

    @Test
    void C040_requestsInFlight_allFinish_noneSeesAnInterrupt() throws Exception {
        var inside = new CountDownLatch(20);
        var disturbed = new AtomicInteger();
        ShutdownReport report;
        try (var host = Host.named("C040")
                        .signals(false)
                        .stopBudget(Duration.ofSeconds(5))
                        .start();
                var client = HttpClient.newHttpClient()) {
            var database = host.own(database("C040.db"));
            var http = host.own(HttpServer.on(0)
                    .routes(routes -> routes.get("/{id}", exchange -> {
                        inside.countDown();
                        workFor(Duration.ofMillis(1_500), disturbed);
                        database.withLease(sql -> insert(sql, exchange.path("id")));
                        return Response.ok().text("done");
                    })));
            host.ready();
            var answers = new ArrayList<CompletableFuture<HttpResponse<String>>>();
            for (var id = 0; id < 20; id++) {
                answers.add(get(client, http.port(), "/" + id));
            }
            inside.await();

            report = host.stopAndWait();

            for (var answer : answers) {
                assertThat(answer.get().statusCode()).isEqualTo(200);
            }
        }
        assertThat(disturbed)
                .as("interrupts and cancels before the cooperative deadline")
                .hasValue(0);
        assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
        assertThat(report.component("http").orElseThrow().count("completed")).isEqualTo(20);
        assertThat(rows("C040.db")).isEqualTo(20);
    }

    /// Half of it blocks, half looks whether it was cancelled.
    private static void workFor(Duration work, AtomicInteger disturbed) {
        try {
            if (new CountDownLatch(1).await(work.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new AssertionError("nobody counts down");
            }
        } catch (InterruptedException _) {
            disturbed.incrementAndGet();
        }
        if (Thread.interrupted() || Scope.current().cancelled().isPresent()) {
            disturbed.incrementAndGet();
        }
    }

    // ---- C043 ----

    @Test
    void C043_blockingStop_fromOwnedWork_isRefused_andTheOtherFormDrains() throws Exception {
        var worked = new CountDownLatch(1);
        ShutdownReport report;
        try (var host = Host.named("C043").signals(false).start();
                var client = HttpClient.newHttpClient()) {
            var database = host.own(database("C043.db"));
            var jobs = host.own(Jobs.on(database).handling(WORK, (JobRun _, String _) -> {
                refuse(host, "job");
                worked.countDown();
            }));
            var http = host.own(HttpServer.on(0)
                    .routes(routes -> routes.get("/blocking", exchange -> {
                                exchange.activity().cleanup("c", () -> refuse(host, "cleanup"));
                                refuse(host, "handler");
                                return Response.ok().text("refused");
                            })
                            .get("/stop", _ -> {
                                host.stop();
                                return Response.ok().text("stopping");
                            })));
            host.cleanup("process", () -> refuse(host, "process cleanup"));
            host.ready();
            database.inTransaction(tx -> jobs.enqueue(tx, WORK.of("x"))).orThrow();
            worked.await();

            assertThat(get(client, http.port(), "/blocking").get().body()).isEqualTo("refused");
            trail.await("cleanup");
            assertThat(host.isStopping()).isFalse();
            var answer = get(client, http.port(), "/stop").get();

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("stopping");
            report = host.stopAndWait();
        }
        assertThat(report.trigger()).isEqualTo("host.stop()");
        assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
        assertThat(report.component("http").orElseThrow().count("completed")).isEqualTo(2);
        assertThat(trail.events()).containsExactlyInAnyOrder("job", "handler", "cleanup", "process cleanup");
    }

    private void refuse(Host host, String from) {
        var began = System.nanoTime();
        assertThatThrownBy(host::stopAndWait)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("host 'C043': stopAndWait() was called from ")
                .hasMessageContaining("which the stop itself waits for: call stop(), which does not wait, and return");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(1));
        trail.add(from);
    }

    // ---- idle ----

    /// The bar is 50 ms on a quiet machine; the figure is printed.
    @Test
    void idleStop_warm_isShort() {
        var took = new ArrayList<Duration>();
        for (var round = 0; round < 15; round++) {
            try (var host = Host.named("idle").signals(false).start()) {
                var database = host.own(database("idle.db"));
                host.own(Jobs.on(database).handling(WORK, (JobRun _, String _) -> {}));
                host.own(HttpServer.on(0).routes(routes -> routes.get("/", StopCasesTest::plain)));
                host.ready();
                took.add(host.stopAndWait().elapsed());
            }
        }
        var warm = took.subList(5, 15).stream().sorted().toList();
        System.out.printf(
                "idle stop, warm: median %d ms, worst %d ms%n",
                warm.get(5).toMillis(), warm.getLast().toMillis());
        assertThat(warm.get(5)).isLessThan(Duration.ofMillis(200));
    }

    // ---- common ----

    private static Response plain(Exchange exchange) {
        return Response.ok().text("plain " + exchange.path());
    }

    private Part<Database> database(String file) {
        return Database.sqlite(directory.resolve(file)).migratedBy(source -> {
            try (var sql = source.getConnection();
                    var create = sql.createStatement()) {
                create.execute("create table if not exists done (id text primary key)");
            }
        });
    }

    private static int insert(Connection sql, String id) throws SQLException {
        try (var insert = sql.prepareStatement("insert into done (id) values (?)")) {
            insert.setString(1, id);
            return insert.executeUpdate();
        }
    }

    private int rows(String file) throws Exception {
        try (var host = Host.named("rows").signals(false).start()) {
            return host.own(database(file)).withReader(sql -> {
                try (var count = sql.createStatement();
                        var rows = count.executeQuery("select count(*) from done")) {
                    return rows.next() ? rows.getInt(1) : -1;
                }
            });
        }
    }

    private static CompletableFuture<HttpResponse<String>> get(HttpClient client, int port, String path) {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }
}
