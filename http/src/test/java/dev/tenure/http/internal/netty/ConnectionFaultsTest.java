package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Threads;
import dev.tenure.http.internal.exchange.Action.BodyFault;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.EngineLimits;
import dev.tenure.http.internal.exchange.Event.Flow;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.BodyPipe;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.flow.ExchangeStarter;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.http.internal.wire.ResponseHead;
import dev.tenure.http.internal.wire.WireLimits;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.Trail;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What fails around one connection: the start of a handler, which may have begun all the same, and a write.
@Timeout(10)
class ConnectionFaultsTest {
    private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\n";
    private static final String GET = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    private final Trail trail = new Trail();
    private final FakeClock clock = new FakeClock();
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private Consumer<ExchangePort> starting = _ -> {};

    private void open(NettyConfig config) {
        var transports = new OpenTransports(clock, () -> trail.add("closed"));
        var loop = new LoopContext(channel.eventLoop(), config, new AtomicBoolean());
        transports.surfaced(channel);
        channel.pipeline().addLast(new Faults(), new NettyConnection(loop, channel, transports));
        channel.pipeline().fireChannelActive();
    }

    private NettyConfig config(Plan.Planner planner) {
        long second = 1_000_000_000;
        var clocks =
                new EngineLimits.Clocks(second, second, 10 * second, 10 * second, second, 10 * second, 10 * second);
        var limits = new EngineLimits(
                new WireLimits(8_192, 32_768, 100), clocks, new EngineLimits.Sizes(65_536, 65_536, 65_536, 1), true);
        var socket = new NettyConfig.Socket(new InetSocketAddress(0), 1, 1, 1, false, Optional.empty());
        var seams = new NettyConfig.Seams(clock, clock, Threads.system(), () -> false, _ -> trail.add("loop broken"));
        return new NettyConfig(socket, limits, planner, new Starter(), seams);
    }

    private void receive(String text) {
        channel.pipeline().fireChannelRead(Unpooled.wrappedBuffer(text.getBytes(ISO_8859_1)));
        channel.runPendingTasks();
    }

    private String sent() {
        var text = new StringBuilder();
        for (ByteBuf out = channel.readOutbound(); out != null; out = channel.readOutbound()) {
            text.append(out.toString(ISO_8859_1));
            out.release();
        }
        return text.toString();
    }

    private void assertOver() {
        channel.runPendingTasks();
        assertThat(channel.isOpen()).isFalse();
        assertThat(clock.pending()).as("timers of the connection").isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void startFails_afterTheHandlerBegan_itFindsNoBody(boolean fatally) throws Exception {
        var ports = new ArrayList<ExchangePort>();
        starting = port -> {
            ports.add(port);
            throwIt(fatally);
        };
        open(config(_ -> new AnyTask()));
        receive(POST + "half");
        assertThat(ports.getFirst().read(new byte[8], 0, 8)).isEqualTo(new BodyPipe.Read.Fault(BodyFault.GONE));
        ports.getFirst().answerAndEnd(new ResponseHead(200, new String[0], 0), Piece.empty());
        channel.runPendingTasks();
        assertThat(sent()).startsWith("HTTP/1.1 503 ").containsOnlyOnce("HTTP/1.1");
        channel.close();
        assertOver();
        trail.mustBe("failed start of a handler", "closed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fatal", "bug", "io"})
    void writeOfStreamedPieceFails_connectionBreaksOff(String kind) throws Exception {
        var ports = new ArrayList<ExchangePort>();
        starting = ports::add;
        open(config(_ -> new AnyTask()));
        receive(GET);
        ExchangePort port = ports.getFirst();
        port.begin(new ResponseHead(200, new String[0], ResponseHead.UNKNOWN), Flow.STREAM);
        channel.runPendingTasks();
        port.write(Piece.of("first".getBytes(ISO_8859_1)));
        channel.runPendingTasks();
        assertThat(sent()).contains("5\r\nfirst\r\n");
        failing = kind;
        assertThat(port.write(Piece.of("second".getBytes(ISO_8859_1)))).isTrue();
        channel.runPendingTasks();
        failing = "";
        assertThat(channel.isOpen()).isFalse();
        assertThat(port.write(Piece.of("third".getBytes(ISO_8859_1)))).isFalse();
        port.finish();
        port.ended();
        channel.runPendingTasks();
        assertThat(sent()).isEmpty();
        assertOver();
        assertThat(trail.events())
                .containsAll(kind.equals("io") ? List.of("cancelled", "closed") : List.of("failed connection"))
                .doesNotContain(kind.equals("io") ? "failed connection" : "none")
                .endsWith("retired CANCELLED");
    }

    @Test
    void writeOfWholeAnswerFails_whatWasPipelinedBehindItIsNotAnswered() {
        open(config(_ -> new Plan.Reply(new ResponseHead(200, new String[0], 0), Piece.empty())));
        failing = "once";
        receive(GET + GET);
        assertThat(sent()).isEmpty();
        assertOver();
        trail.mustBe("failed connection", "closed");
    }

    // ---- what fails ----

    private String failing = "";

    private static void throwIt(boolean fatally) {
        if (fatally) {
            throw new OutOfMemoryError("injected");
        }
        throw new IllegalStateException("injected");
    }

    private final class Faults extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
            String kind = failing;
            if (kind.isEmpty()) {
                super.write(ctx, message, promise);
                return;
            }
            ((ByteBuf) message).release();
            failing = kind.equals("once") ? "" : kind;
            if (kind.equals("io")) {
                throw new IOException("injected");
            }
            throwIt(kind.equals("fatal"));
        }
    }

    private final class Starter implements ExchangeStarter {
        @Override
        public Consumer<Cause> start(ExchangePort port, RequestHead head, Plan.Task plan) {
            starting.accept(port);
            return _ -> trail.add("cancelled");
        }

        @Override
        public void retired(End end) {
            trail.add("retired " + end);
        }

        @Override
        public void refused(int status, String why) {}

        @Override
        public void failed(String what, Throwable failure) {
            trail.add("failed " + what);
        }
    }

    private record AnyTask() implements Plan.Task {
        @Override
        public long bodyBytesMax() {
            return 100;
        }

        @Override
        public Refusal tooLarge() {
            return new Refusal(413, "too large");
        }

        @Override
        public long exchangeNanos() {
            return 10_000_000_000L;
        }

        @Override
        public boolean cancelOnGone() {
            return true;
        }
    }
}
