package dev.tenure.http.internal.netty;

import dev.tenure.core.TimeSource;
import dev.tenure.http.internal.exchange.Event;
import dev.tenure.http.internal.wire.HeadEncoder;
import dev.tenure.http.internal.wire.HeadEncoder.Persistence;
import dev.tenure.http.internal.wire.OutFraming;
import dev.tenure.http.internal.wire.ResponseHead;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// What the connections of one event loop share.
///
/// **Owner:** the server. **Threads:** the loop's, but for [#isStopping()].
final class LoopContext {
    private static final int READ_BYTES = 65_536;
    private static final long DATE_NANOS = 500_000_000;

    private final EventLoop loop;
    private final NettyConfig config;
    private final TimeSource time;
    private final AtomicBoolean stopping;

    // Confined to the loop.
    private final Set<NettyConnection> connections = new LinkedHashSet<>();
    private final HeadEncoder encoder = new HeadEncoder();
    private final byte[] scratch = new byte[READ_BYTES];
    private boolean dated;
    private long datedAt;
    private @Nullable Event stage;

    LoopContext(EventLoop loop, NettyConfig config, AtomicBoolean stopping) {
        this.stopping = stopping;
        this.loop = loop;
        this.config = config;
        this.time = config.seams().time();
        warmUp();
    }

    /// What heads need is made now: a class whose first use finds no memory would never work again.
    private void warmUp() {
        encoder.date(time.now());
        encoder.encode(new ResponseHead(200, new String[0], 0), OutFraming.LENGTH, Persistence.SILENT);
    }

    boolean runsOn(ThreadAwareExecutor executor) {
        return loop.equals(executor);
    }

    EventLoop loop() {
        return loop;
    }

    NettyConfig config() {
        return config;
    }

    long nanos() {
        return time.nanos();
    }

    boolean isStopping() {
        return stopping.get() || config.seams().stopping().getAsBoolean();
    }

    /// Where input is copied to for the length of one event.
    byte[] scratch() {
        return scratch;
    }

    HeadEncoder encoder(long nowNanos) {
        if (!dated || nowNanos - datedAt >= DATE_NANOS) {
            dated = true;
            datedAt = nowNanos;
            encoder.date(time.now());
        }
        return encoder;
    }

    /// Adds a connection, and tells it how far the stop has come.
    void joined(NettyConnection connection) {
        connections.add(connection);
        Event reached = stage;
        if (reached != null) {
            connection.pump(reached);
        }
    }

    /// The loop has ended by itself.
    void lost() {
        List.copyOf(connections).forEach(NettyConnection::ended);
    }

    void left(NettyConnection connection) {
        connections.remove(connection);
    }

    /// Tells all connections of this loop, and those that join later, of a step of the stop.
    void tell(Event reached) {
        stage = reached;
        List.copyOf(connections).forEach(connection -> connection.pump(reached));
    }
}
