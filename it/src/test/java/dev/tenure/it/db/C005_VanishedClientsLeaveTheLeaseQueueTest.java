package dev.tenure.it.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.db.Database;
import dev.tenure.host.Host;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpLimits;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Ledger;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C005: all leases are held, 500 requests queue for one, and their clients reset.
@ExtendWith(LeakCheck.class)
class C005_VanishedClientsLeaveTheLeaseQueueTest {
    private static final int CLIENTS = 500;
    private static final long HEAP_SLACK = 24L << 20;

    @TempDir
    Path folder;

    private final Trail trail = new Trail();

    @Test
    void C005_vanishedClients_leaveTheQueueAndExecuteNothing() throws Exception {
        var letGo = new CountDownLatch(1);
        try (var host = Host.named("c005").signals(false).start();
                var tasks = Supervisor.open("holders")) {
            var database = host.own(Database.sqlite(folder.resolve("shop.db"))
                    .waitersMax(2 * CLIENTS)
                    .leaseTimeout(Duration.ofSeconds(60))
                    .migratedBy(source -> {
                        try (var connection = source.getConnection()) {
                            execute(connection, "CREATE TABLE visit (client TEXT)");
                        }
                    }));
            var server = host.own(HttpServer.on(0)
                    .limits(HttpLimits.defaults().withAdmission(2 * CLIENTS, 2 * CLIENTS))
                    .routes(routes -> routes.post("/visits", exchange -> visit(database, exchange))
                            .get("/", _ -> Response.ok().text("alive"))));
            ask(server); // classes are loaded by the first request
            long heap = heapInUse();
            var mark = Ledger.ofThisJvm().mark();
            var holder = hold(tasks, database, letGo);

            var clients = connect(server, CLIENTS);
            within(Duration.ofSeconds(20), () -> waiting(database) == CLIENTS);
            assertAlive(server);
            for (var client : clients) {
                client.setSoLinger(true, 0);
                client.close();
            }
            within(Duration.ofSeconds(2), () -> waiting(database) == 0);
            assertAlive(server);
            within(Duration.ofSeconds(2), () -> inFlight(server) == 0);

            letGo.countDown();
            assertThat(holder.get()).isEqualTo(1);
            assertThat((int) database.withReader(C005_VanishedClientsLeaveTheLeaseQueueTest::visits))
                    .isEqualTo(1);
            assertThat(database.counts()).containsEntry("leases", 0L).containsEntry("lent", 2L);
            assertThat(Ledger.ofThisJvm().awaitNoneSince(mark, Duration.ofSeconds(2)))
                    .as(() -> Ledger.ofThisJvm().liveSince(mark).toString())
                    .isTrue();
            assertThat(heapInUse()).isLessThan(heap + HEAP_SLACK);
        }
    }

    private static Response visit(Database database, Exchange exchange) throws SQLException {
        int rows = database.withLease(sql -> execute(sql, "INSERT INTO visit VALUES ('" + exchange.id() + "')"));
        return Response.ok().text("visits: " + rows);
    }

    private static int execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    private static int visits(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT count(*) FROM visit")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private Task<Integer> hold(Supervisor tasks, Database database, CountDownLatch letGo) {
        var holder = tasks.fork(
                "holder",
                () -> database.withLease(sql -> {
                    trail.add("held");
                    letGo.await();
                    return execute(sql, "INSERT INTO visit VALUES ('the holder')");
                }));
        trail.await("held");
        return holder;
    }

    private static List<Socket> connect(HttpServer server, int count) throws IOException {
        var clients = new ArrayList<Socket>(count);
        for (int i = 0; i < count; i++) {
            var client = new Socket(InetAddress.getLoopbackAddress(), server.port());
            client.getOutputStream().write(request("POST /visits"));
            clients.add(client);
        }
        return clients;
    }

    private static byte[] request(String line) {
        return (line + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void assertAlive(HttpServer server) throws IOException {
        long began = System.nanoTime();
        ask(server);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMillis(500));
    }

    private static void ask(HttpServer server) throws IOException {
        try (var client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.getOutputStream().write(request("GET /"));
            var answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertThat(answer).startsWith("HTTP/1.1 200");
        } catch (SocketException e) {
            throw new AssertionError("not alive", e);
        }
    }

    private static long waiting(Database database) {
        return database.counts().getOrDefault("waiting", 0L);
    }

    private static long inFlight(HttpServer server) {
        var counts = server.counts();
        return counts.get("admitted") - counts.get("completed") - counts.get("cancelled");
    }

    private static void within(Duration limit, BooleanSupplier condition) {
        long end = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within %s", limit).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    private static long heapInUse() {
        System.gc();
        var runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
