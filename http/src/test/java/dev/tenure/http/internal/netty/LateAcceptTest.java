package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.host.Host;
import dev.tenure.http.HttpServer;
import dev.tenure.http.Internals;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A transport that surfaces after the seal is owned: it is closed and joined before the stop ends, and never
/// dispatched.
@ExtendWith(LeakCheck.class)
class LateAcceptTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(US_ASCII);

    private final Trail trail = new Trail();
    private final CountDownLatch slow = new CountDownLatch(1);

    /// Holds the close of the late transport until it is let go.
    private final class HeldClose extends ChannelOutboundHandlerAdapter {
        private volatile Runnable letGo = () -> {};

        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) {
            letGo = () -> ctx.executor().execute(() -> ctx.close(promise));
            trail.add("close of the late transport");
        }
    }

    @Test
    void lateTransport_isClosedAndJoinedBeforeTheReport() throws Exception {
        var host = Host.named("late")
                .signals(false)
                .stopBudget(Duration.ofSeconds(20))
                .observer(Observer.none())
                .start();
        try (host;
                var acceptor =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var peer = new Socket();
                var client = new Socket()) {
            var server = host.own(HttpServer.on(0)
                    .nativeTransport(false)
                    .routes(routes -> routes.get("/", _ -> {
                        trail.add("dispatched");
                        slow.await();
                        return Response.ok().text("slow");
                    })));
            host.ready();
            client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
            client.getOutputStream().write(REQUEST);
            trail.await("dispatched");
            peer.connect(acceptor.getLocalAddress());
            peer.getOutputStream().write(REQUEST);
            var late = new NioSocketChannel(acceptor.accept());
            var held = new HeldClose();
            late.pipeline().addLast(held);

            var stop = host.stopAsync().toCompletableFuture();
            Internals.netty(server).seal(Deadline::none);
            Internals.netty(server).surfaced(late);
            trail.await("close of the late transport");
            slow.countDown();
            assertThat(client.getInputStream().readAllBytes()).asString().endsWith("slow");
            assertThat(stop.copy()
                            .completeOnTimeout(null, 300, TimeUnit.MILLISECONDS)
                            .get())
                    .as("the stop waits for the close")
                    .isNull();
            held.letGo.run();
            var report = stop.get(10, TimeUnit.SECONDS);
            assertThat(report.exitCode()).as(report.toText()).isZero();
            assertThat(server.counts()).containsEntry("late_accepts", 1L).containsEntry("connections", 0L);
            assertThat(late.isOpen()).isFalse();
            assertThat(trail.count("dispatched")).isOne();
            assertThat(trail.count("close of the late transport")).isOne();
        }
    }
}
