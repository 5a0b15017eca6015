package dev.tenure.http.internal.netty;

import dev.tenure.core.Deadline;
import dev.tenure.http.internal.exchange.Event;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.ThreadAwareExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// A listener, its event loops, and the connections they carry.
///
/// **Owner:** the HTTP server that opened it. **Ends:** by [#dispose] and [#join]. **States:** `OPEN -> ANNOUNCED ->
/// SEALED -> DRAINING -> FORCED -> DISPOSED`; each step may be left out. **Threads:** any; steps wait for the event
/// loops, which never block. **Limits:** [NettyConfig]. **Fails:** [IOException] if it can't listen; then nothing is
/// left open. An event loop that ends by itself takes its connections with it, and is told of.
public final class NettyServer {
    private static final Event DRAINING = new Event.DrainBegun();
    private static final Event FORCED = new Event.Forced();
    private static final Event DISPOSED = new Event.Disposed();
    private static final long START_SECONDS_MAX = 10;

    private final NettyConfig config;
    private final Transport transport;
    private final OpenTransports transports;
    private final MultiThreadIoEventLoopGroup loops;
    private final IdentityHashMap<EventExecutor, LoopContext> contexts = new IdentityHashMap<>();
    private final ServerChannel listener;
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile boolean accepting;
    private volatile boolean full;
    private volatile boolean ending;
    private volatile Optional<Throwable> broken = Optional.empty();
    private volatile long queuedServed;

    private NettyServer(NettyConfig config, Transport transport) throws IOException {
        this.config = config;
        this.transport = transport;
        this.transports = new OpenTransports(config.seams().timers(), this::retired);
        this.loops = openLoops();
        try {
            loops.forEach(loop -> contexts.put(loop, new LoopContext((EventLoop) loop, config, stopping)));
            this.listener = listening();
        } catch (Throwable failure) {
            ending = true;
            loops.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS)
                    .awaitUninterruptibly(START_SECONDS_MAX, TimeUnit.SECONDS);
            throw failure;
        }
    }

    /// Listens.
    ///
    /// @param config where, and with what
    /// @return the running server
    /// @throws IOException if it can't; the message says why
    public static NettyServer open(NettyConfig config) throws IOException {
        return open(config, Transport.choose(config.socket()));
    }

    /// For tests of what a transport may do.
    static NettyServer open(NettyConfig config, Transport transport) throws IOException {
        return new NettyServer(config, transport);
    }

    private MultiThreadIoEventLoopGroup openLoops() {
        var number = new AtomicInteger();
        Executor starter = loop -> threads.add(config.seams()
                .threads()
                .startPlatform(
                        "tenure-http-loop-" + number.incrementAndGet(),
                        () -> FastThreadLocalThread.runWithFastThreadLocal(loop)));
        IoHandlerFactory handlers = transport.handlers();
        IoHandlerFactory watched = loop -> new WatchedIo(handlers.newHandler(loop), cause -> loopEnded(loop, cause));
        return new MultiThreadIoEventLoopGroup(config.socket().loops(), starter, watched);
    }

    /// On the thread of an event loop that ends. If nobody asked for that, half a server would go on.
    private void loopEnded(ThreadAwareExecutor loop, Optional<Throwable> cause) {
        if (ending) {
            return;
        }
        String what =
                "event loop %s ended by itself".formatted(Thread.currentThread().getName());
        var end = new IllegalStateException(
                what + cause.map(failure -> ": " + failure).orElse(""), cause.orElse(null));
        broken = Optional.of(end);
        config.seams().broken().accept(end);
        contexts.values().stream().filter(context -> context.runsOn(loop)).forEach(LoopContext::lost);
    }

    private ServerChannel listening() throws IOException {
        ServerChannel opened = opened();
        try {
            listen(opened);
        } catch (Throwable failure) {
            if (!opened.isRegistered()) {
                opened.unsafe().closeForcibly();
            } else {
                opened.close().awaitUninterruptibly();
            }
            throw failure;
        }
        accepting = true;
        return opened;
    }

    private ServerChannel opened() throws IOException {
        try {
            return transport.listener();
        } catch (ChannelException failure) {
            throw new IOException("can't open a listener", failure.getCause());
        }
    }

    private void listen(ServerChannel opened) throws IOException {
        opened.pipeline().addLast(new Acceptor());
        if (isOwned()) {
            opened.config().setOption(ChannelOption.SO_REUSEADDR, true);
            opened.config().setOption(ChannelOption.SO_BACKLOG, config.socket().backlog());
        }
        EventLoop loop = loops.next();
        var registered = loop.register(opened).awaitUninterruptibly();
        if (!registered.isSuccess()) {
            throw new IOException("no event loop took the listener", registered.cause());
        }
        if (isOwned()) {
            var bound = opened.bind(config.socket().address()).awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new IOException("can't listen on " + config.socket().address(), bound.cause());
            }
        }
    }

    private boolean isOwned() {
        return config.socket().borrowed().isEmpty();
    }

    /// Where it listens.
    ///
    /// @return the port
    public int port() {
        return listener.localAddress() instanceof InetSocketAddress address
                ? address.getPort()
                : config.socket().address().getPort();
    }

    // ---- accept ----

    /// Gives what Netty accepted to us.
    private final class Acceptor extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof Channel accepted) {
                surfaced(accepted);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            config.starter().failed("accept", cause);
        }
    }

    /// Takes a transport, whenever it surfaces: to serve it, or after the seal to close it. Either way it is owned
    /// from here until its close has ended.
    void surfaced(Channel accepted) {
        begin(accepted, transports.surfaced(accepted));
        adjustAccept();
    }

    /// Serves or closes one that is owned. A failure is its own: it is closed, and the others go on.
    private void begin(Channel accepted, boolean served) {
        try {
            register(accepted, served);
        } catch (Throwable failure) {
            config.starter().failed("accepted transport", failure);
            accepted.unsafe().closeForcibly();
            transports.retired(accepted);
        }
    }

    private void register(Channel accepted, boolean served) {
        var loop = contexts.get(loops.next());
        if (loop == null || loop.loop().isShuttingDown()) {
            throw new IllegalStateException("an event loop that has ended, or has no context");
        }
        if (served) {
            accepted.config().setOption(ChannelOption.TCP_NODELAY, true);
            accepted.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
            accepted.pipeline().addLast(new NettyConnection(loop, accepted, transports));
        } else {
            accepted.closeFuture().addListener(_ -> transports.retired(accepted));
        }
        loop.loop().register(accepted).addListener(registered -> {
            if (!registered.isSuccess()) {
                accepted.unsafe().closeForcibly();
                transports.retired(accepted);
            } else if (!served) {
                accepted.close();
            }
        });
    }

    /// Accepts no more while there are as many as may be. On the listener's event loop.
    private void adjustAccept() {
        while (accepting && full != isFull()) {
            full = !full;
            listener.config().setAutoRead(!full);
        }
    }

    private boolean isFull() {
        return transports.count() >= config.socket().connectionsMax();
    }

    private void retired() {
        if (full && accepting) {
            onListenerLoop(this::adjustAccept);
        }
    }

    // ---- the stop ----

    /// From now on every answer says that its connection ends.
    public void announce() {
        stopping.set(true);
    }

    /// Takes what waits in the accept queue, to be served; then seals admission and closes the listener. A borrowed
    /// one is let alone from now on, and so is its queue.
    ///
    /// @param deadline of the wait, read again when work is forced; the seal comes all the same
    /// @return whether it is sealed
    /// @throws InterruptedException while it waited
    public boolean seal(Supplier<Deadline> deadline) throws InterruptedException {
        try {
            listener.eventLoop().execute(this::sealOnLoop);
        } catch (RejectedExecutionException _) {
            transports.seal(); // the loop has ended, and the listener with it
        }
        return transports.awaitSealed(deadline);
    }

    private void sealOnLoop() {
        try {
            takeQueue();
        } finally {
            transports.seal();
        }
    }

    /// Accepts until there is nothing, and closes the listener in the same breath: what the kernel completes
    /// in between is dropped with its queue, so nothing else may come in between. Each transport is owned from
    /// the moment it was accepted; it is served once the listener has closed. Both ends of it are at once,
    /// since this is the listener's event loop.
    private void takeQueue() {
        if (!accepting) {
            return;
        }
        accepting = false;
        if (!isOwned()) {
            listener.deregister();
            return;
        }
        var queued = new ArrayList<Channel>();
        Consumer<Channel> taker = accepted -> {
            transports.surfaced(accepted);
            queued.add(accepted);
        };
        attempt(() -> transport.acceptAll(listener, taker));
        attempt(() -> transport.narrow(listener));
        attempt(() -> transport.acceptAll(listener, taker));
        listener.unsafe().closeForcibly();
        listener.close();
        queuedServed = queued.size();
        queued.forEach(accepted -> begin(accepted, true));
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private void attempt(Step step) {
        try {
            step.run();
        } catch (Exception failure) {
            config.starter().failed("accept queue", failure);
        }
    }

    /// Ends what is idle, now or when it has been so for a second; event streams get their last event. Does not wait.
    public void drain() {
        tell(DRAINING);
    }

    /// Waits until no connection is left.
    ///
    /// @param deadline of the wait; read again when work is forced
    /// @return whether none is left
    /// @throws InterruptedException while it waited
    public boolean awaitNone(Supplier<Deadline> deadline) throws InterruptedException {
        return transports.awaitNone(deadline);
    }

    /// Cancels all handlers. Does not wait.
    public void force() {
        tell(FORCED);
        transports.wake();
    }

    /// Closes every connection and waits for their ends; then asks the event loops to end.
    ///
    /// @param deadline of the waits
    /// @return whether no connection is left
    /// @throws InterruptedException while it waited
    public boolean dispose(Deadline deadline) throws InterruptedException {
        if (accepting) {
            seal(() -> deadline);
        }
        tell(DISPOSED);
        ending = true;
        boolean none = transports.awaitNone(() -> deadline);
        loops.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        return none;
    }

    /// Waits for the event loops' threads, and gives a borrowed listener back.
    ///
    /// @param deadline of the wait
    /// @return whether they have ended
    /// @throws InterruptedException while it waited
    public boolean join(Deadline deadline) throws InterruptedException {
        boolean all = true;
        for (Thread thread : threads) {
            all &= thread.join(Duration.ofNanos(Math.max(1, deadline.remainingNanos())));
        }
        config.socket().borrowed().ifPresent(this::giveBack);
        return all;
    }

    /// A borrowed listener blocks again, as it did when it was lent.
    private void giveBack(ServerSocketChannel lent) {
        try {
            lent.configureBlocking(true);
        } catch (IOException | IllegalBlockingModeException failure) {
            config.starter().failed("return of the listener", failure);
        }
    }

    private void tell(Event stage) {
        for (var loop : contexts.values()) {
            try {
                loop.loop().execute(() -> loop.tell(stage));
            } catch (RejectedExecutionException _) {
                // the loop has ended, and every connection with it
            }
        }
    }

    /// Runs a step on the listener's event loop, unless that has ended; public for tests that must hold it.
    ///
    /// @param step short, unless a test means otherwise
    public void onListenerLoop(Runnable step) {
        try {
            listener.eventLoop().execute(step);
        } catch (RejectedExecutionException _) {
            // the loops have ended, and the listener with them
        }
    }

    // ---- numbers ----

    /// Why it is not whole any more.
    ///
    /// @return the end of the event loop that ended by itself last
    public Optional<Throwable> broken() {
        return broken;
    }

    /// Connections that are not retired.
    ///
    /// @return a snapshot
    public int connections() {
        return transports.count();
    }

    /// Connections that the stop took from the accept queue.
    ///
    /// @return they were served
    public long queuedServed() {
        return queuedServed;
    }

    /// Transports that surfaced after the seal.
    ///
    /// @return they were closed
    public long late() {
        return transports.late();
    }
}
