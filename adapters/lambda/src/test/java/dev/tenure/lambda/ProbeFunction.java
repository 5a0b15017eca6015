package dev.tenure.lambda;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import dev.tenure.core.Deadline;
import dev.tenure.db.Database;
import dev.tenure.host.DeploymentPolicy;
import dev.tenure.host.Host;
import dev.tenure.host.Reopenable;
import dev.tenure.http.Exchange;
import dev.tenure.http.HttpCalls;
import dev.tenure.http.Response;
import dev.tenure.http.RouteSource;
import dev.tenure.http.Routes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/// The notes, and routes that tell a test how the process fares.
public final class ProbeFunction implements RequestStreamHandler, RouteSource {
    private final Host host = Host.named("probe")
            .policy(DeploymentPolicy.REQUEST_ISOLATED)
            .signals(false)
            .stopBudget(Duration.ofMillis(300))
            .reportTo(report -> System.out.println(report.toText()))
            .start();
    private final Notes notes = new Notes(Reopenable.of(
            host,
            "notes",
            Database.sqlite(Path.of(System.getProperty("notes.file"))).migratedBy(NotesFunction::table)));
    private final HttpFunction function =
            HttpFunction.on(host, HttpCalls.over(this, notes)).withMargin(Duration.ofMillis(200));
    private Deadline armed = Deadline.none();

    @Override
    public void handleRequest(InputStream in, OutputStream out, Context context) throws IOException {
        function.handleRequest(in, out, context);
    }

    @Override
    public void routes(Routes routes) {
        routes.get("/background", this::background)
                .get("/hang", ProbeFunction::hang)
                .get("/arm", this::arm)
                .get("/armed", _ -> Response.ok().text(armed + (armed.passed() ? ": passed" : ": not passed")))
                .get("/heap", _ -> heap());
    }

    /// Answers at once, and works on for a while.
    private Response background(Exchange exchange) {
        var landed = exchange.activity().background("audit row");
        var deadline = Deadline.in(Duration.ofMillis(50));
        host.timers().at(deadline, () -> {
            System.out.println("landed");
            landed.run();
        });
        exchange.activity().cleanup("line", () -> System.out.println("cleaned up"));
        return Response.ok().text("answered");
    }

    private static Response hang(Exchange exchange) throws InterruptedException {
        exchange.scope().own(() -> System.out.println("released"));
        System.out.println("hangs");
        new CountDownLatch(1).await();
        return Response.ok().empty();
    }

    private Response arm(Exchange exchange) {
        armed = Deadline.in(Duration.ofMillis(400));
        return Response.ok().empty();
    }

    private static Response heap() {
        System.gc();
        return Response.ok()
                .text(Long.toString(
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()));
    }
}
