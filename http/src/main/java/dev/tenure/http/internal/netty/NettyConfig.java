package dev.tenure.http.internal.netty;

import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.http.internal.exchange.EngineLimits;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.ExchangeStarter;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// What a [NettyServer] is opened with.
///
/// @param socket where it listens
/// @param engine what each connection may cost
/// @param planner says what becomes of a request
/// @param starter starts handlers
/// @param seams clock, timers and threads
public record NettyConfig(
        Socket socket, EngineLimits engine, Plan.Planner planner, ExchangeStarter starter, Seams seams) {
    /// Where and how it listens.
    ///
    /// @param address with port 0 for any
    /// @param backlog how many connections the kernel keeps for us
    /// @param connectionsMax how many may be open at once
    /// @param loops how many event loops
    /// @param nativeTransport whether epoll is used where it loads
    /// @param borrowed a listener of the caller's, which is never closed here; its address and backlog are the
    /// caller's
    public record Socket(
            InetSocketAddress address,
            int backlog,
            int connectionsMax,
            int loops,
            boolean nativeTransport,
            Optional<ServerSocketChannel> borrowed) {}

    /// The host's.
    ///
    /// @param time the clock
    /// @param timers that go with it
    /// @param threads starts event loops
    /// @param stopping whether its stop was requested, which is before any phase of it reaches the server
    /// @param broken is told, on the event loop's own thread, that it ended by itself
    public record Seams(
            TimeSource time, Timers timers, Threads threads, BooleanSupplier stopping, Consumer<Throwable> broken) {}
}
