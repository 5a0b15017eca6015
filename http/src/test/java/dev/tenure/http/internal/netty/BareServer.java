package dev.tenure.http.internal.netty;

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
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// A server without handlers, which answers each request by an empty 200, but `/fatal` by an error that nobody may
/// tell of either, as when memory is out.
final class BareServer {
    private static final long SECOND = 1_000_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private BareServer() {}

    /// Writes down where something failed.
    private record Failures(Trail trail) implements ExchangeStarter {
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
            if (failure instanceof OutOfMemoryError again) {
                throw again;
            }
        }
    }

    static NettyServer open(Transport transport, int loops, Trail trail, Consumer<Throwable> broken)
            throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var socket = new NettyConfig.Socket(address, 16, 100, loops, false, Optional.empty());
        var clocks = new EngineLimits.Clocks(
                10 * SECOND, 10 * SECOND, 10 * SECOND, 10 * SECOND, SECOND, 10 * SECOND, 10 * SECOND);
        var engine = new EngineLimits(
                new WireLimits(8_192, 32_768, 100), clocks, new EngineLimits.Sizes(65_536, 65_536, 65_536, 1), true);
        var seams = new NettyConfig.Seams(TimeSource.system(), Timers.system(), Threads.system(), () -> false, broken);
        return NettyServer.open(
                new NettyConfig(socket, engine, BareServer::plan, new Failures(trail), seams), transport);
    }

    private static Plan plan(RequestHead head) {
        if (head.target().equals("/fatal")) {
            throw new OutOfMemoryError("injected");
        }
        return new Plan.Reply(new ResponseHead(200, new String[0], 0), Piece.empty());
    }

    /// Whether all of it has ended within 15 s.
    static boolean end(NettyServer server) throws InterruptedException {
        return server.awaitNone(() -> Deadline.in(PATIENCE))
                && server.dispose(Deadline.in(PATIENCE))
                && server.join(Deadline.in(PATIENCE));
    }
}
