package dev.tenure.http;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Supervisor;
import dev.tenure.host.Component;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import dev.tenure.http.internal.netty.NettyServer;
import java.nio.channels.ServerSocketChannel;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Serves HTTP/1.1: a listener, its connections, and a task for each exchange.
///
/// At a stop every answer announces the end of its connection; the accept queue is taken and served, then admission
/// is sealed; what is idle ends; what is in flight has its time, then is cancelled; then the connections are closed
/// and the event loops end.
///
/// **Owner:** the host. **Ends:** by the host's stop, which it asks for itself if an event loop dies. **States:** `OPEN
/// -> ANNOUNCED -> SEALED -> DRAINING -> FORCED
/// -> DISPOSED`. **Threads:** any. **Limits:** [HttpLimits]. **Fails:** never once it is open; what fails is told to
/// the host's observer. **Source:** design 5.
public final class HttpServer implements Component {
    private final NettyServer netty;
    private final Supervisor tasks;
    private final Handlers handlers;
    private final ExchangeCounts counts;

    private volatile int inFlightAtDrain;
    private volatile long completedAtDrain;

    HttpServer(NettyServer netty, Supervisor tasks, Handlers handlers, ExchangeCounts counts) {
        this.netty = netty;
        this.tasks = tasks;
        this.handlers = handlers;
        this.counts = counts;
    }

    /// Begins to build a server.
    ///
    /// @param port 1 to 65535, or 0 for any
    /// @return the builder, which opens nothing
    public static HttpServerBuilder on(int port) {
        return new HttpServerBuilder(port);
    }

    /// Begins to build a server over a listener that the caller opened, bound and goes on owning: it is accepted from
    /// until the stop seals admission, and never closed. It and its queue are reported `NOT_OWNED`.
    ///
    /// @param listener bound, and in blocking mode; it is so again after the stop
    /// @return the builder, which opens nothing
    public static HttpServerBuilder over(ServerSocketChannel listener) {
        return new HttpServerBuilder(listener);
    }

    /// Where it listens.
    ///
    /// @return the port, also if any was asked for
    public int port() {
        return netty.port();
    }

    /// For tests of what only the adapter sees.
    NettyServer netty() {
        return netty;
    }

    @Override
    public String name() {
        return tasks.name();
    }

    @Override
    public Set<Phase> phases() {
        return EnumSet.of(
                Phase.READINESS_DOWN, Phase.STOP_ADMISSION, Phase.DRAIN_IN_FLIGHT, Phase.DISPOSE_DEPENDENCIES);
    }

    @Override
    public void enter(Phase phase, Stop stop) throws InterruptedException {
        switch (phase) {
            case READINESS_DOWN -> netty.announce();
            case STOP_ADMISSION -> netty.seal(stop::deadline);
            case DRAIN_IN_FLIGHT -> drain(stop);
            case DISPOSE_DEPENDENCIES -> dispose(stop.deadline());
            case FLUSH_TELEMETRY -> {}
        }
    }

    private void drain(Stop stop) throws InterruptedException {
        inFlightAtDrain = counts.inFlight();
        completedAtDrain = counts.completedSoFar();
        netty.drain();
        if (netty.awaitNone(stop::deadline)) {
            handlers.awaitNone(stop::deadline);
        }
    }

    private void dispose(Deadline deadline) throws InterruptedException {
        tasks.seal();
        netty.dispose(deadline);
        tasks.close(deadline);
        netty.join(deadline);
        var broken = netty.broken();
        if (broken.isPresent()) {
            throw new IllegalStateException(name() + ": " + broken.get().getMessage(), broken.get());
        }
    }

    @Override
    public void force(Stop stop) {
        netty.force();
    }

    @Override
    public List<Holder> holders() {
        return handlers.holders();
    }

    @Override
    public Map<String, Long> counts() {
        var all = counts.asMap();
        all.put("queued_served", netty.queuedServed());
        all.put("late_accepts", netty.late());
        all.put("connections", (long) netty.connections());
        return all;
    }

    @Override
    public String summary(Phase phase) {
        return switch (phase) {
            case STOP_ADMISSION ->
                netty.queuedServed() == 0
                        ? ""
                        : "%s taken from the accept queue and served"
                                .formatted(counted(netty.queuedServed(), "connection"));
            case DRAIN_IN_FLIGHT ->
                "%s in flight, %d completed"
                        .formatted(counted(inFlightAtDrain, "request"), counts.completedSoFar() - completedAtDrain);
            case READINESS_DOWN, DISPOSE_DEPENDENCIES, FLUSH_TELEMETRY -> "";
        };
    }

    private static String counted(long count, String what) {
        return count + " " + what + (count == 1 ? "" : "s");
    }

    @Override
    public String toString() {
        return name() + " on port " + port();
    }
}
