package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.db.Database;
import dev.tenure.db.DatabaseBuilder;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.HostBuilder;
import dev.tenure.host.Part;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.http.HttpServer;
import dev.tenure.http.HttpServerBuilder;
import dev.tenure.http.Response;
import dev.tenure.it.Base;
import dev.tenure.jobs.JobRun;
import dev.tenure.jobs.JobType;
import dev.tenure.jobs.Jobs;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// C055: a start that fails, at the port or at any later step, leaves nothing, fifty times over; then it succeeds, on
/// the same builders and on new ones. A `Host` itself is started once: what is started again is its builder.
@ExtendWith(LeakCheck.class)
@Timeout(90)
class C055_FailedStartTest {
    private static final int ROUNDS = 50;

    /// Netty's thread for what has no event loop ends one second after its last task.
    private static final String NETTY = "globalEventExecutor.*";

    private static final JobType<String> WORK = JobType.text("work");

    @TempDir
    Path directory;

    /// The settings of a program: database, worker and server, with a step that fails after so many of them.
    private record Program(HostBuilder host, DatabaseBuilder database, HttpServerBuilder http) {
        static final int STEPS = 4;
        static final int NONE = -1;

        static Program on(Path file, int port) {
            return new Program(
                    Host.named("C055").signals(false),
                    Database.sqlite(file),
                    HttpServer.on(port)
                            .routes(routes -> routes.get("/", _ -> Response.ok().text("up"))));
        }

        Host started(int failing) {
            var started = host.start();
            step(started, failing, 0);
            var opened = started.own(database);
            step(started, failing, 1);
            started.own(Jobs.on(opened).handling(WORK, (JobRun _, String _) -> {}));
            step(started, failing, 2);
            started.own(http);
            step(started, failing, 3);
            return started;
        }

        private static void step(Host host, int failing, int number) {
            if (failing == number) {
                Part<FakePart> bad = _ -> {
                    throw new IllegalStateException("step " + number + " failed");
                };
                host.own(bad);
            }
        }
    }

    @Test
    void C055_portTaken_fiftyTimes_leavesNothing_andTheSameBuildersSucceedLater() throws Exception {
        int port;
        Program program;
        try (var occupied = listening(0)) {
            port = occupied.getLocalPort();
            program = Program.on(directory.resolve("C055.db"), port);
            assertPortIsTaken(program, port); // loads what a first start loads
            var base = Base.now();
            for (var round = 1; round < ROUNDS; round++) {
                assertPortIsTaken(program, port);
                base.assertBackBut(NETTY, "after failed start " + round);
            }
            base.assertBack("after all failed starts");
        }
        assertServes(program, port);
        assertServes(Program.on(directory.resolve("C055.db"), port), port);
    }

    private static void assertPortIsTaken(Program program, int port) {
        assertThatThrownBy(() -> program.started(Program.NONE).close())
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("port: " + port);
    }

    @Test
    void C055_eachLaterStepFails_leavesNothing_andThePortIsFree() throws Exception {
        int port;
        try (var free = listening(0)) {
            port = free.getLocalPort();
        }
        var program = Program.on(directory.resolve("step.db"), port);
        assertServes(program, port); // loads what a start and a stop load
        var base = Base.now();
        for (var round = 0; round < ROUNDS; round++) {
            var failing = round % Program.STEPS;
            assertThatThrownBy(() -> program.started(failing).close())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("step " + failing + " failed");
            base.assertBackBut(NETTY, "after step " + failing + " failed in round " + round);
            listening(port).close();
        }
        base.assertBack("after all steps that failed");
        assertServes(program, port);
    }

    private static ServerSocket listening(int port) throws IOException {
        return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
    }

    private static void assertServes(Program program, int port) throws Exception {
        try (var host = program.started(Program.NONE);
                var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                    .build();
            assertThat(client.send(request, BodyHandlers.ofString()).body()).isEqualTo("up");
            assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        }
    }
}
