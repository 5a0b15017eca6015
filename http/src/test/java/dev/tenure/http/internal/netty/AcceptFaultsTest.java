package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.EngineLimits;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.flow.ExchangeStarter;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import dev.tenure.http.internal.wire.WireLimits;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// Accepting fails: what was accepted before is owned all the same, and served or closed.
@ExtendWith(LeakCheck.class)
class AcceptFaultsTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".getBytes(US_ASCII);
    private static final long SECOND = 1_000_000_000;

    private final Trail trail = new Trail();

    /// NIO, whose accept fails after a few, once.
    private static final class Failing implements Transport {
        private final Transport nio = new NioTransport(Optional.empty());
        private int left;

        Failing(int left) {
            this.left = left;
        }

        @Override
        public IoHandlerFactory handlers() {
            return nio.handlers();
        }

        @Override
        public ServerChannel listener() {
            return nio.listener();
        }

        @Override
        public void acceptAll(ServerChannel listener, Consumer<Channel> taker) throws Exception {
            nio.acceptAll(listener, accepted -> {
                taker.accept(accepted);
                if (--left == 0) {
                    throw new IllegalStateException("too many open files");
                }
            });
        }

        @Override
        public void narrow(ServerChannel listener) throws IOException {
            throw new IOException("no");
        }
    }

    /// Answers by itself, so that no handler is needed.
    private final class Failures implements ExchangeStarter {
        @Override
        public Consumer<Cause> start(ExchangePort port, RequestHead head, Plan.Task plan) {
            throw new IllegalStateException("there are no handlers here");
        }

        @Override
        public void retired(End end) {}

        @Override
        public void refused(int status, String why) {}

        @Override
        public void failed(String what, Throwable failure) {
            trail.add(what);
        }
    }

    private NettyServer open(Transport transport) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var socket = new NettyConfig.Socket(address, 16, 100, 1, false, Optional.empty());
        var clocks = new EngineLimits.Clocks(
                10 * SECOND, 10 * SECOND, 10 * SECOND, 10 * SECOND, SECOND, 10 * SECOND, 10 * SECOND);
        var engine = new EngineLimits(
                new WireLimits(8_192, 32_768, 100), clocks, new EngineLimits.Sizes(65_536, 65_536, 65_536, 1), true);
        var seams = new NettyConfig.Seams(TimeSource.system(), Timers.system(), Threads.system(), () -> false);
        Plan.Planner ok = _ -> new Plan.Reply(new ResponseHead(200, new String[0], 0), Piece.empty());
        return NettyServer.open(new NettyConfig(socket, engine, ok, new Failures(), seams), transport);
    }

    private static void end(NettyServer server) throws InterruptedException {
        assertThat(server.awaitNone(() -> Deadline.in(Duration.ofSeconds(5)))).isTrue();
        assertThat(server.dispose(Deadline.in(Duration.ofSeconds(5)))).isTrue();
        assertThat(server.join(Deadline.in(Duration.ofSeconds(5)))).isTrue();
    }

    @Test
    void queue_whoseAcceptFailsHalfWay_isServed() throws Exception {
        var server = open(new Failing(2));
        var hold = new CountDownLatch(1);
        server.onListenerLoop(() -> await(hold));
        var clients = new ArrayList<Socket>();
        for (int i = 0; i < 3; i++) {
            var client = new Socket(InetAddress.getLoopbackAddress(), server.port());
            client.getOutputStream().write(REQUEST);
            clients.add(client);
        }
        assertThat(server.seal(() -> Deadline.in(Duration.ZERO)))
                .as("a loop that is held does not hold the seal's caller")
                .isFalse();
        hold.countDown();
        for (var client : clients) {
            assertThat(client.getInputStream().readAllBytes()).asString().startsWith("HTTP/1.1 200");
            client.close();
        }
        end(server);
        assertThat(server.queuedServed()).isEqualTo(3);
        trail.mustBe("accept queue", "accept queue");
    }

    @Test
    void transport_thatCannotBeServed_isClosed() throws Exception {
        var server = open(new Failing(0));
        try (var acceptor =
                        ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                var peer = new Socket()) {
            peer.connect(acceptor.getLocalAddress());
            var accepted = acceptor.accept();
            var broken = new NioSocketChannel(accepted);
            accepted.close();
            server.onListenerLoop(() -> server.surfaced(broken));
            trail.await("accepted transport");
            end(server);
            assertThat(broken.isOpen()).isFalse();
        }
    }

    @Test
    void seal_afterTheLoopsHaveEnded_returns() throws Exception {
        var server = open(new Failing(0));
        end(server);
        assertThat(server.seal(Deadline::none)).isTrue();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
