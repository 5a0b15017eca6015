package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.HandoffQueue;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Connections wait in the listener's queue, so one thread plays both sides.
@SuppressWarnings("try") // an owner is closed early, to see what that does
class PeerTest {
    private ServerSocket listener;
    private Peer peer;

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        peer = new Peer((InetSocketAddress) listener.getLocalSocketAddress());
    }

    @AfterEach
    void stop() throws IOException {
        listener.close();
    }

    @Test
    void moved_livesUntilItsSupervisorCloses() throws Exception {
        try (Supervisor connections = Supervisor.open("connections")) {
            var socket = peer.connectInto(connections);
            try (Socket accepted = listener.accept()) {
                assertThat(socket.get().isConnected()).isTrue();
                assertThat(connections.live()).isEqualTo(1);
                connections.close();
                assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void eachForm_readsAndCloses() throws Exception {
        try (var scope = Scope.open("test")) {
            var server = scope.fork("server", () -> {
                for (int i = 0; i < 3; i++) {
                    serveOne('a' + i);
                }
                return 3;
            });
            assertThat(peer.firstByte()).isEqualTo('a');
            assertThat(peer.firstByteShortly()).isEqualTo('b');
            assertThat(peer.firstByteInTask()).isEqualTo('c');
            assertThat(server.get()).isEqualTo(3);
        }
    }

    @Test
    void refusedByAFullQueue_isClosed() throws Exception {
        try (HandoffQueue<Socket> waiting = HandoffQueue.open("waiting", 1)) {
            assertThat(peer.connectInto(waiting)).isTrue();
            assertThat(peer.connectInto(waiting)).isFalse();
            try (Socket taken = listener.accept();
                    Socket refused = listener.accept()) {
                assertThat(refused.getInputStream().read()).isEqualTo(-1);
                waiting.close();
                assertThat(taken.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    private void serveOne(int answer) throws IOException {
        try (Socket accepted = listener.accept()) {
            accepted.getOutputStream().write(answer);
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        }
    }
}
