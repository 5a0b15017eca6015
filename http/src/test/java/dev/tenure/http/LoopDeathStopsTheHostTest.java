package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.testkit.LeakCheck;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Half a server does not go on: the end of an event loop stops the host, and the report names the loop.
@ExtendWith(LeakCheck.class)
class LoopDeathStopsTheHostTest {
    private static void endThisLoop() {
        EventExecutor loop = Objects.requireNonNull(ThreadExecutorMap.currentExecutor());
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    }

    @Test
    void loop_thatEndsByItself_stopsTheHostAsFailed() throws Exception {
        var never = new CountDownLatch(1);
        try (var server = TestServer.of(builder -> builder.eventLoops(1)
                        .routes(routes -> routes.get("/wait", _ -> {
                            never.await();
                            return Response.ok().text("no");
                        })));
                var client = server.connect()) {
            client.send(RawClient.request("GET", "/wait"));
            server.await("admitted", 1);
            server.server().netty().onListenerLoop(LoopDeathStopsTheHostTest::endThisLoop);
            var report = server.host().awaitStop();
            assertThat(report.completion()).isEqualTo(Completion.FAILED);
            assertThat(report.trigger()).matches(".*http: event loop tenure-http-loop-\\d+ ended by itself.*");
            assertThat(report.toText()).contains("http: event loop tenure-http-loop-");
            assertThat(client.isEnded()).isTrue();
            assertThat(server.count("connections")).isZero();
            assertThat(server.count("retained")).isZero();
        }
    }
}
