package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import io.netty.channel.Channel;
import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.ServerChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// An error in the I/O of an event loop: whoever runs the server is told which loop, and nothing that it carried is
/// left half open.
@ExtendWith(LeakCheck.class)
class LoopDeathTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(US_ASCII);

    private final Trail trail = new Trail();
    private final AtomicBoolean fatal = new AtomicBoolean();

    /// NIO whose next step fails once it is told to, on one loop.
    private final class Fatal implements Transport {
        private final Transport nio;

        Fatal(Transport nio) {
            this.nio = nio;
        }

        @Override
        public IoHandlerFactory handlers() {
            IoHandlerFactory factory = nio.handlers();
            return loop -> new FatalIo(factory.newHandler(loop));
        }

        @Override
        public ServerChannel listener() {
            return nio.listener();
        }

        @Override
        public void acceptAll(ServerChannel listener, Consumer<Channel> taker) throws Exception {
            nio.acceptAll(listener, taker);
        }

        @Override
        public void narrow(ServerChannel listener) throws IOException {
            nio.narrow(listener);
        }
    }

    private final class FatalIo implements IoHandler {
        private final IoHandler io;

        FatalIo(IoHandler io) {
            this.io = io;
        }

        @Override
        public void initialize() {
            io.initialize();
        }

        @Override
        public int run(IoHandlerContext context) {
            int handled = io.run(context);
            if (fatal.compareAndSet(true, false)) {
                throw new OutOfMemoryError("injected");
            }
            return handled;
        }

        @Override
        public void prepareToDestroy() {
            io.prepareToDestroy();
        }

        @Override
        public void destroy() {
            io.destroy();
        }

        @Override
        public IoRegistration register(IoHandle handle) throws Exception {
            return io.register(handle);
        }

        @Override
        public void wakeup() {
            io.wakeup();
        }

        @Override
        public boolean isCompatible(Class<? extends IoHandle> type) {
            return io.isCompatible(type);
        }
    }

    private Transport transport(boolean epoll) {
        return new Fatal(
                epoll ? new Transport.EpollTransport() : new Transport.NioTransport(java.util.Optional.empty()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loop_thatDies_isNamed_andItsConnectionsEnd(boolean epoll) throws Exception {
        List<Throwable> told = new ArrayList<>();
        var server = BareServer.open(transport(epoll), 1, trail, broken -> {
            told.add(broken);
            trail.add("told");
        });
        try (var client = client(server)) {
            client.getOutputStream().write(REQUEST);
            assertThat(client.getInputStream().read()).isEqualTo('H');
            fatal.set(true);
            client.getOutputStream().write(REQUEST);
            trail.await("told");
            assertThat(told)
                    .singleElement()
                    .satisfies(broken -> assertThat(broken)
                            .hasMessageMatching("event loop tenure-http-loop-\\d+ ended by itself: .*Error: injected")
                            .hasCauseInstanceOf(OutOfMemoryError.class));
            assertThat(BareServer.end(server)).as("no connection is left").isTrue();
        }
        assertThat(server.broken()).isPresent();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void step_thatFails_endsItsConnectionAlone(boolean epoll) throws Exception {
        var server = BareServer.open(transport(epoll), 1, trail, _ -> trail.add("told"));
        try (var other = client(server);
                var failing = client(server)) {
            other.getOutputStream().write(REQUEST);
            assertThat(other.getInputStream().read()).isEqualTo('H');
            failing.getOutputStream().write("GET /fatal HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(US_ASCII));
            assertThatThrownBy(() -> assertThat(failing.getInputStream().read()).isNotNegative())
                    .as("a reset, or an end")
                    .isNotInstanceOf(SocketTimeoutException.class);
            other.getOutputStream().write(REQUEST);
            other.getOutputStream().flush();
            assertThat(new String(other.getInputStream().readNBytes(REQUEST.length), US_ASCII))
                    .contains("200 OK");
        }
        assertThat(BareServer.end(server)).as("no connection is left").isTrue();
        assertThat(trail.events()).contains("connection").doesNotContain("told");
        assertThat(server.broken()).isEmpty();
    }

    private static Socket client(NettyServer server) throws IOException {
        var client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        client.setSoTimeout(10_000);
        return client;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void loop_thatDies_takesNoOtherWithIt(boolean epoll) throws Exception {
        var server = BareServer.open(transport(epoll), 2, trail, _ -> trail.add("told"));
        var clients = new ArrayList<Socket>();
        for (int i = 0; i < 4; i++) {
            var client = client(server);
            client.getOutputStream().write(REQUEST);
            assertThat(client.getInputStream().read()).isEqualTo('H');
            clients.add(client);
        }
        fatal.set(true);
        clients.getFirst().getOutputStream().write(REQUEST);
        trail.await("told");
        server.drain();
        server.force();
        assertThat(BareServer.end(server)).as("no connection is left").isTrue();
        for (var client : clients) {
            client.close();
        }
    }
}
