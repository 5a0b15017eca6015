package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
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

    private NettyServer open(Transport transport) throws IOException {
        return BareServer.open(transport, 1, trail, broken -> trail.add("broken"));
    }

    private static void end(NettyServer server) throws InterruptedException {
        assertThat(BareServer.end(server)).isTrue();
    }

    @Test
    void queue_whoseAcceptFailsHalfWay_isServed() throws Exception {
        var server = open(new Failing(2));
        var hold = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        server.onListenerLoop(() -> {
            held.countDown();
            await(hold);
        });
        await(held);
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
