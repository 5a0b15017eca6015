package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Bad configuration: one line with key, value and range, before anything is open.
@ExtendWith(LeakCheck.class)
class ConfigurationTest {
    private static final HttpLimits DEFAULTS = HttpLimits.defaults();

    static Stream<Arguments> wrong() {
        return Stream.of(
                wrong(() -> HttpServer.on(-1), "port: -1 (expected: 0 to 65535)"),
                wrong(() -> HttpServer.on(65_536), "port: 65536 (expected: 0 to 65535)"),
                wrong(() -> HttpServer.on(0).backlog(0), "http backlog: 0 (expected: 1 to 65535)"),
                wrong(() -> HttpServer.on(0).eventLoops(0), "http eventLoops: 0 (expected: 1 to 256)"),
                wrong(() -> DEFAULTS.withHeader(Duration.ZERO), "http header: PT0S (expected: > 0 and <= 24 h)"),
                wrong(
                        () -> DEFAULTS.withExchange(Duration.ofDays(2)),
                        "http exchange: PT48H (expected: > 0 and <= 24 h)"),
                wrong(() -> DEFAULTS.withBodyIdle(Duration.ZERO), "http bodyIdle: PT0S (expected: > 0 and <= 24 h)"),
                wrong(() -> DEFAULTS.withWriteIdle(Duration.ZERO), "http writeIdle: PT0S (expected: > 0 and <= 24 h)"),
                wrong(() -> DEFAULTS.withKeepAlive(Duration.ZERO), "http keepAlive: PT0S (expected: > 0 and <= 24 h)"),
                wrong(() -> DEFAULTS.withHeartbeat(Duration.ZERO), "http heartbeat: PT0S (expected: > 0 and <= 24 h)"),
                wrong(() -> DEFAULTS.withLinger(Duration.ZERO), "http linger: PT0S (expected: > 0 and <= 24 h)"),
                wrong(() -> DEFAULTS.withLineBytesMax(63), "http lineBytesMax: 63 (expected: 64 to 65535)"),
                wrong(() -> DEFAULTS.withHeadBytesMax(8_191), "http headBytesMax: 8191 (expected: 8192 to 65535)"),
                wrong(() -> DEFAULTS.withFieldsMax(0), "http fieldsMax: 0 (expected: 1 to 10000)"),
                wrong(() -> DEFAULTS.withWriteRateMin(0), "http writeRateMin: 0 (expected: 1 to 1000000000)"),
                wrong(() -> HttpServer.on(0).named(" "), "http name: ' ' (expected: a name)"),
                wrong(
                        () -> DEFAULTS.withBodyBytesMax(-1),
                        "http bodyBytesMax: -1 (expected: 0 to 9223372036854775807)"),
                wrong(() -> DEFAULTS.withAdmission(0, 1), "http connectionsMax: 0 (expected: 1 to 1000000)"),
                wrong(() -> RouteOptions.defaults().bodyBytesMax(-1), "route bodyBytesMax: -1 (expected: >= 0)"),
                wrong(() -> RouteOptions.defaults().deadline(Duration.ZERO), "route deadline: PT0S (expected: > 0)"),
                wrong(
                        () -> HttpServer.on(0).mapping(IOException.class, 200),
                        "http mapping of java.io.IOException: 200 (expected: 400 to 599)"));
    }

    private static Arguments wrong(Runnable build, String message) {
        return Arguments.of(build, message);
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void value_outOfRange_isNamed(Runnable build, String message) {
        assertThatThrownBy(build::run).isInstanceOf(ConfigurationError.class).hasMessage(message);
    }

    @Test
    void limits_areTheOnesThatWereSet() {
        var second = Duration.ofSeconds(1);
        var limits = DEFAULTS.withHeader(second)
                .withBodyIdle(second.plusMillis(1))
                .withWriteIdle(second.plusMillis(2))
                .withKeepAlive(second.plusMillis(3))
                .withExchange(second.plusMillis(4))
                .withHeartbeat(second.plusMillis(5))
                .withLinger(second.plusMillis(6))
                .withLineBytesMax(101)
                .withHeadBytesMax(102)
                .withFieldsMax(103)
                .withBodyBytesMax(104)
                .withWriteRateMin(105)
                .withAdmission(106, 107);
        assertThat(Stream.of(
                                limits.header(),
                                limits.bodyIdle(),
                                limits.writeIdle(),
                                limits.keepAlive(),
                                limits.exchange(),
                                limits.heartbeat(),
                                limits.linger())
                        .map(Duration::toMillis))
                .containsExactly(1_000L, 1_001L, 1_002L, 1_003L, 1_004L, 1_005L, 1_006L);
        assertThat(Stream.of(limits.lineBytesMax(), limits.headBytesMax(), limits.fieldsMax()))
                .containsExactly(101, 102, 103);
        assertThat(Stream.of(limits.bodyBytesMax(), limits.writeRateMin())).containsExactly(104L, 105L);
        assertThat(Stream.of(limits.connectionsMax(), limits.exchangesMax())).containsExactly(106, 107);
        assertThat(DEFAULTS.header()).as("the defaults stay").isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void routes_malformedOrDoubled_areRefusedAtOpen() {
        try (var host = Host.named("test").signals(false).start()) {
            assertThatThrownBy(() -> host.own(HttpServer.on(0)
                            .routes(routes -> routes.get("a", _ -> Response.ok().empty()))))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessageContaining("route pattern: a");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void port_taken_isSaidInOneLine_andNothingStaysOpen(boolean nativeTransport) throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var host = Host.named("test").signals(false).start()) {
            int port = taken.getLocalPort();
            assertThatThrownBy(
                            () -> host.own(HttpServer.on(port).portKey("--port").nativeTransport(nativeTransport)))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessage("--port: %d (expected: a free port; 127.0.0.1:%d is in use)", port, port);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void host_ofAnotherMachine_isSaid(boolean nativeTransport) {
        try (var host = Host.named("test").signals(false).start()) {
            assertThatThrownBy(() ->
                            host.own(HttpServer.on(8_080).host("192.0.2.1").nativeTransport(nativeTransport)))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessage("port: 8080 (expected: a port of this machine; 192.0.2.1 is no address of it)");
        }
    }
}
