package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.tenure.core.Probe;
import dev.tenure.http.internal.exchange.Event;
import dev.tenure.testkit.Violation;
import dev.tenure.testkit.World;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;

/// An event loop and one connection of it, run on the thread of a scenario: the real [NettyConnection] over a channel
/// without a socket. Each step of the transport fires points, and what it holds is entered.
public final class LoopByHand {
    private static final String NAME = "connection";

    private final World world;
    private final EmbeddedChannel channel;
    private final UnpooledByteBufAllocator buffers = new UnpooledByteBufAllocator(false, true);
    private final OpenTransports transports;
    private final LoopContext context;

    /// A loop without connections.
    ///
    /// @param world of the run
    /// @param config what the connection is opened with
    /// @throws Exception if there is no loop
    public LoopByHand(World world, NettyConfig config) throws Exception {
        this.world = world;
        this.transports = new OpenTransports(config.seams().timers(), () -> {});
        this.channel = new Wire();
        channel.config().setAllocator(buffers);
        channel.register(); // an embedded channel brings its loop along
        this.context = new LoopContext(channel.eventLoop(), config, new AtomicBoolean());
    }

    /// A client connects; from its acceptance on the connection is one of the open transports.
    ///
    /// @throws Exception if that fails: then nothing is open
    public void accept() throws Exception {
        Probe.before("connect", NAME);
        world.opened(NAME, channel, "open transports of the server");
        channel.closeFuture().addListener(_ -> world.ended(channel, "close"));
        try {
            Probe.after("connect", NAME);
            transports.surfaced(channel);
            channel.pipeline().addLast(new Faults(), new NettyConnection(context, channel, transports));
            channel.pipeline().fireChannelActive();
        } catch (Throwable failure) {
            channel.unsafe().closeForcibly();
            world.lost(channel, "undone");
            transports.retired(channel);
            throw failure;
        }
    }

    /// Bytes come from the client, or the connection breaks.
    ///
    /// @param text the bytes
    public void receive(String text) {
        if (!channel.isOpen()) {
            return;
        }
        try {
            Probe.before("receive", NAME);
        } catch (Throwable fault) {
            broken(fault);
            return;
        }
        var read = channel.writeOneInbound(Unpooled.wrappedBuffer(text.getBytes(ISO_8859_1)));
        channel.flushInbound();
        if (!read.isSuccess()) {
            throw new IllegalStateException("a failure passed the connection by", read.cause());
        }
    }

    /// A failure of the transport tells the handler that its client went, and nobody else; any other is told.
    private void broken(Throwable fault) {
        if (fault instanceof IOException) {
            world.handled(fault);
        }
        channel.pipeline().fireExceptionCaught(fault);
    }

    /// A step of the stop reaches the loop.
    ///
    /// @param step which
    public void tell(Event step) {
        context.tell(step);
    }

    /// Whether the loop has something to do.
    ///
    /// @return a snapshot
    public boolean isBusy() {
        return channel.hasPendingTasks();
    }

    /// Does it.
    public void turn() {
        channel.runPendingTasks();
    }

    /// Whether the connection has ended.
    ///
    /// @return for good
    public boolean isOver() {
        return transports.count() == 0;
    }

    /// After the run: every buffer went back.
    public void check() {
        long held = buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory();
        if (held != 0) {
            world.violated(new Violation(
                    12, 2, "output buffer", held + " bytes of output are still held", "release what is not written"));
        }
    }

    /// The transport: takes everything at once.
    private static final class Wire extends EmbeddedChannel {
        Wire() {
            super(false, false);
        }

        @Override
        protected void handleOutboundMessage(Object message) {
            if (message instanceof ByteBuf bytes) {
                bytes.release();
            }
        }
    }

    /// What a socket may do wrong.
    private final class Faults extends ChannelOutboundHandlerAdapter {
        /// A socket that failed is closed by its transport, and nobody is told; after any other failure, such as of
        /// a copy to direct memory, it is open as before.
        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
            try {
                Probe.before("send", NAME);
            } catch (Throwable fault) {
                if (message instanceof ByteBuf bytes) {
                    bytes.release();
                }
                if (fault instanceof IOException) {
                    world.handled(fault);
                    super.close(ctx, ctx.newPromise()); // its end is seen by the close future of the channel
                }
                throw fault;
            }
            super.write(ctx, message, promise);
        }

        /// A close that fails has closed all the same.
        @Override
        public void close(ChannelHandlerContext ctx, ChannelPromise promise) throws Exception {
            Throwable fault = null;
            try {
                Probe.before("end", NAME);
            } catch (Throwable injected) {
                fault = injected;
                world.handled(injected); // what fails in a close changes nothing: it has closed
            }
            super.close(ctx, promise);
            if (fault != null) {
                ctx.fireExceptionCaught(fault);
            }
        }
    }
}
