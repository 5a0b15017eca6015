package dev.tenure.http.internal.netty;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.FileDescriptor;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.channels.ServerSocketChannel;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Consumer;

/// How bytes get in and out: epoll where its native part loads, else NIO.
///
/// With NIO a client that goes is not noticed while its connection is not read, which is so while 64 KiB of a request
/// body wait for their handler; epoll notices it always.
interface Transport {
    /// The best there is for such a listener.
    static Transport choose(NettyConfig.Socket socket) {
        boolean epoll = socket.nativeTransport() && socket.borrowed().isEmpty() && Epoll.isAvailable();
        return epoll ? new EpollTransport() : new NioTransport(socket.borrowed());
    }

    IoHandlerFactory handlers();

    ServerChannel listener();

    /// Takes all that wait in the accept queue, at once. On the listener's event loop. What was given to the taker
    /// before a failure stays the taker's.
    ///
    /// @param taker owns each transport from the moment it was accepted
    void acceptAll(ServerChannel listener, Consumer<Channel> taker) throws Exception;

    /// Has the kernel complete no more connections than one, where that can be said. Who comes now is not answered,
    /// and finds the port closed at its next attempt, a second later; that is better than a connection which is
    /// dropped with a request on it.
    void narrow(ServerChannel listener) throws IOException;

    /// Linux.
    record EpollTransport() implements Transport {
        private static final int ADDRESS_BYTES = 26;

        @Override
        public IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        public ServerChannel listener() {
            return new EpollServerSocketChannel();
        }

        @Override
        public void narrow(ServerChannel listener) throws IOException {
            if (listener instanceof EpollServerSocketChannel epoll && epoll.fd() instanceof Socket socket) {
                socket.listen(0);
            }
        }

        @Override
        public void acceptAll(ServerChannel listener, Consumer<Channel> taker) throws IOException {
            if (listener instanceof EpollServerSocketChannel epoll && epoll.fd() instanceof Socket socket) {
                byte[] address = new byte[ADDRESS_BYTES];
                for (int fd = socket.accept(address); fd >= 0; fd = socket.accept(address)) {
                    taker.accept(opened(fd));
                }
            }
        }

        private static Channel opened(int fd) throws IOException {
            try {
                return new EpollSocketChannel(fd);
            } catch (Throwable failure) {
                new FileDescriptor(fd).close();
                throw failure;
            }
        }
    }

    /// Anywhere.
    ///
    /// @param borrowed a listener of the caller's
    record NioTransport(Optional<ServerSocketChannel> borrowed) implements Transport {
        @Override
        public IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        public ServerChannel listener() {
            return borrowed.map(NioListener::new).orElseGet(NioListener::new);
        }

        @Override
        public void narrow(ServerChannel listener) {}

        @Override
        public void acceptAll(ServerChannel listener, Consumer<Channel> taker) throws Exception {
            if (listener instanceof NioListener nio) {
                nio.acceptAll(taker);
            }
        }
    }

    /// A listener whose queue can be taken at once.
    final class NioListener extends NioServerSocketChannel {
        NioListener() {}

        NioListener(ServerSocketChannel borrowed) {
            super(borrowed);
        }

        void acceptAll(Consumer<Channel> taker) throws Exception {
            var one = new ArrayList<Object>(1);
            while (doReadMessages(one) > 0) {
                taker.accept((Channel) one.removeFirst());
            }
        }
    }
}
