package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/// A listener that was lent is used, reported as not owned, and given back as it was.
@ExtendWith(LeakCheck.class)
class BorrowedListenerTest {
    private static ServerSocketChannel bound() throws Exception {
        return ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Test
    void borrowed_isServedFromAndNeverClosed() throws Exception {
        try (var listener = bound()) {
            try (var host = Host.named("test").signals(false).start()) {
                var server = host.own(HttpServer.over(listener)
                        .routes(routes -> routes.get("/", _ -> Response.ok().text("x"))));
                host.ready();
                try (var client = new RawClient(server.port())) {
                    assertThat(client.get("/").text()).isEqualTo("x");
                }
                var report = host.stopAndWait();
                assertThat(report.exitCode()).as(report.toText()).isZero();
                assertThat(report.toJson()).contains("NOT_OWNED");
            }
            assertThat(listener.isOpen()).isTrue();
            assertThat(listener.isBlocking()).isTrue();
            try (var queued = new RawClient(listener.socket().getLocalPort());
                    var accepted = listener.accept()) {
                assertThat(accepted.isConnected()).as("its owner accepts again").isTrue();
                queued.fin();
            }
        }
    }

    @Test
    void borrowed_thatIsNotBound_isRefused() throws Exception {
        try (var listener = ServerSocketChannel.open()) {
            assertThatThrownBy(() -> HttpServer.over(listener))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessageContaining("expected: open, bound");
        }
    }

    @Test
    void borrowed_closedBeforeItIsTaken_leavesNoEventLoopBehind() throws Exception {
        long before = pollers();
        for (int i = 0; i < 3; i++) {
            try (var host = Host.named("test").signals(false).start()) {
                var listener = bound();
                var built = HttpServer.over(listener);
                listener.close();
                assertThatThrownBy(() -> host.own(built)).isInstanceOf(ConfigurationError.class);
            }
        }
        assertThat(pollers()).isEqualTo(before);
    }

    /// Descriptors of selectors.
    private static long pollers() throws IOException {
        try (var all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(BorrowedListenerTest::isPoller).count();
        }
    }

    private static boolean isPoller(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().contains("eventpoll");
        } catch (IOException _) {
            return false; // it was the listing's own
        }
    }
}
