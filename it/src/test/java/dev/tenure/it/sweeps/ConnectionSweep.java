package dev.tenure.it.sweeps;

import dev.tenure.core.Deadline;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Supervisor;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.http.Routes;
import dev.tenure.http.ServedParts;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.ExchangePort;
import dev.tenure.http.internal.flow.ExchangeStarter;
import dev.tenure.http.internal.netty.LoopByHand;
import dev.tenure.http.internal.netty.NettyConfig;
import dev.tenure.http.internal.wire.RequestHead;
import dev.tenure.sim.Sim;
import dev.tenure.testkit.FakeSocket;
import dev.tenure.testkit.World;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection with two requests, an answer in one piece and a streamed one: the real adapter, engine and handlers'
/// tasks, over a channel without a socket. The scenario's thread is the event loop.
final class ConnectionSweep {
    private static final ResourceType<FakeSocket> BACKEND = ResourceType.of("backend", FakeSocket::close);
    private static final String POST = "POST /photos HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\n";
    private static final String GET = "GET /stream HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n";

    private ConnectionSweep() {}

    static void connection(Sim sim) throws Exception {
        World world = sim.world();
        var host = sim.owner();
        try (var tasks = Supervisor.open("http", world.options())) {
            var parts = ServedParts.of(routes -> served(routes, world), host, tasks);
            var exchanges = new Exchanges(world, parts.starter());
            var seams = new NettyConfig.Seams(world.clock(), world.clock(), world.threads(), () -> false, broken -> {
                throw new AssertionError("the loop ended by itself", broken);
            });
            var loop = new LoopByHand(
                    world, new NettyConfig(nowhere(), parts.limits(), parts.planner(), exchanges, seams));
            world.atTheEnd(loop::check);
            loop.accept();
            loop.receive(POST + "half");
            loop.receive("half");
            loop.receive(GET);
            while (!loop.isOver() || exchanges.isOpen()) {
                loop.turn();
                world.await(
                        "a task of the loop",
                        () -> loop.isBusy() || (loop.isOver() && !exchanges.isOpen()),
                        Deadline.none());
            }
        }
    }

    private static void served(Routes routes, World world) {
        routes.post("/photos", exchange -> stored(exchange, world));
        routes.get("/stream", exchange -> {
            exchange.scope().acquire(BACKEND, () -> world.socket("streaming")).get();
            return Response.ok().stream(out -> {
                out.write(new byte[100]);
                out.flush();
                out.write(new byte[100]);
            });
        });
    }

    private static Response stored(Exchange exchange, World world) throws Exception {
        int bytes = exchange.body().stream().readAllBytes().length;
        var backend = exchange.scope().acquire(BACKEND, () -> world.socket("storing"));
        backend.get().write(bytes);
        return Response.ok().text(bytes + " bytes");
    }

    private static NettyConfig.Socket nowhere() {
        return new NettyConfig.Socket(new InetSocketAddress(0), 1, 1, 1, false, Optional.empty());
    }

    /// Enters each exchange from its dispatch to its retirement, of which there must be one.
    private static final class Exchanges implements ExchangeStarter {
        private final World world;
        private final ExchangeStarter starter;
        private @Nullable ExchangePort open;

        Exchanges(World world, ExchangeStarter starter) {
            this.world = world;
            this.starter = starter;
        }

        boolean isOpen() {
            return open != null;
        }

        @Override
        public Consumer<Cause> start(ExchangePort port, RequestHead head, Plan.Task plan) {
            var canceller = starter.start(port, head, plan);
            open = port;
            world.opened("exchange", port, "connection, which waits for its handler's task");
            return canceller;
        }

        @Override
        public void retired(End end) {
            ExchangePort over = open;
            open = null;
            if (over != null) {
                world.ended(over, "retire");
            }
            starter.retired(end);
        }

        @Override
        public void refused(int status, String why) {
            starter.refused(status, why);
        }

        @Override
        public void failed(String what, Throwable failure) {
            starter.failed(what, failure);
        }
    }
}
