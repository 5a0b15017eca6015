package dev.tenure.http.internal.netty;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers.Alarm;
import dev.tenure.http.internal.exchange.Action;
import dev.tenure.http.internal.exchange.Action.Cause;
import dev.tenure.http.internal.exchange.Action.End;
import dev.tenure.http.internal.exchange.ConnectionEngine;
import dev.tenure.http.internal.exchange.Event;
import dev.tenure.http.internal.exchange.Piece;
import dev.tenure.http.internal.flow.ExchangeStarter;
import dev.tenure.http.internal.wire.Refusal;
import dev.tenure.http.internal.wire.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Drives the engine of one connection: turns what Netty says into events, and does the actions.
///
/// **Owner:** [OpenTransports] owns its channel; the loop keeps this until no handler runs. **Threads:** its event
/// loop, but for the last group of methods. **Limits:** one timer, moved only when a deadline comes earlier than it
/// is set to.
final class NettyConnection extends ChannelInboundHandlerAdapter {
    private static final Event DRAINED = new Event.OutputDrained();
    private static final Event TICK = new Event.Tick();
    private static final Event FIN = new Event.PeerFin();
    private static final Event RESET = new Event.PeerReset();
    private static final String[] TEXT = {"Content-Type", "text/plain; charset=utf-8"};
    private static final Refusal NOT_TAKEN = new Refusal(503, "the server takes no more requests");

    private final LoopContext loop;
    private final Channel channel;
    private final OpenTransports transports;
    private final ExchangeStarter starter;
    private final ConnectionEngine engine;
    private final ConnectionOutput output;
    private final long openedNanos;
    private final ArrayDeque<Event> later = new ArrayDeque<>(4);

    private @Nullable NettyExchange exchange;
    private @Nullable Alarm alarm;
    private long armedAt = Long.MAX_VALUE;
    private boolean busy;
    private boolean broken;
    private boolean inactive;

    NettyConnection(LoopContext loop, Channel channel, OpenTransports transports) {
        this.loop = loop;
        this.channel = channel;
        this.transports = transports;
        this.starter = loop.config().starter();
        this.openedNanos = loop.nanos();
        this.output = new ConnectionOutput(loop, channel, this::writeFailed);
        this.engine =
                new ConnectionEngine(loop.config().engine(), loop.config().planner(), loop::isStopping, this::act);
    }

    private long now() {
        return loop.nanos() - openedNanos;
    }

    // ---- from Netty ----

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        loop.joined(this);
        rearm();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            throw new IllegalStateException("a transport gave something that is no bytes: " + message.getClass());
        }
        try {
            byte[] scratch = loop.scratch();
            while (bytes.isReadable()) {
                int length = Math.min(bytes.readableBytes(), scratch.length);
                bytes.readBytes(scratch, 0, length);
                pump(new Event.Received(new Piece(scratch, 0, length)));
            }
        } finally {
            bytes.release();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            pump(FIN);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        ended();
    }

    /// Its channel has closed, or its loop has ended, after which Netty says nothing any more.
    void ended() {
        inactive = true;
        pump(RESET);
        transports.retired(channel);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (cause instanceof IOException) { // the transport ends by itself
            broken = true;
            pump(RESET);
        } else {
            writeFailed(cause);
        }
    }

    /// What was written did not go: nothing may follow it, since the client could not see what is missing.
    private void writeFailed(Throwable cause) {
        broken = true;
        output.abort();
        pump(RESET);
        if (!(cause instanceof IOException)) {
            starter.failed("connection", cause);
        }
    }

    // ---- the engine ----

    /// Gives an event to the engine; one that comes while it is at work waits for its end.
    void pump(Event event) {
        if (busy) {
            later.add(event);
            return;
        }
        busy = true;
        try {
            on(event);
            for (Event next = later.poll(); next != null; next = later.poll()) {
                on(next);
            }
        } catch (Throwable bug) { // an Error too: it ends this connection, never the loop
            output.abort(); // first: to tell of it may fail too
            starter.failed("connection", bug);
        } finally {
            busy = false;
        }
        rearm();
        if (inactive) {
            retireIfOver();
        }
    }

    void pumpBoth(Event first, Event second) {
        later.add(second);
        pump(first);
    }

    /// Gives a piece of an answer to the engine.
    ///
    /// @return whether it was let through
    boolean pumpPiece(Event.AnswerBytes piece) {
        long before = output.pieces();
        pump(piece);
        return output.pieces() > before;
    }

    private void on(Event event) {
        engine.on(event, now());
        if (!later.isEmpty()) {
            return;
        }
        while (output.isStaged()) {
            output.flush(exchange, this::progressed);
            if (broken) {
                break;
            }
            if (!output.isEmpty()) {
                output.whenEmpty(this::drained, this::progressed);
                break;
            }
            output.allTaken();
            engine.on(DRAINED, now());
        }
        output.settle();
    }

    private void drained() {
        output.allTaken();
        pump(DRAINED);
    }

    private void progressed() {
        long bytes = output.taken();
        if (bytes > 0) {
            pump(new Event.OutputProgressed(bytes));
        }
    }

    private void act(Action action) {
        switch (action) {
            case Action.Dispatch dispatch -> dispatch(dispatch);
            case Action.WriteHead head -> output.head(head, now() + openedNanos);
            case Action.WriteBytes bytes -> output.bytes(bytes.piece(), bytes.chunked());
            case Action.WriteLastChunk _ -> output.lastChunk();
            case Action.WriteContinue _ -> output.continuing();
            case Action.Retired retired -> retired(retired.end());
            case Action.BodyBytes bytes -> bodyBytes(bytes.piece());
            case Action.BodyEnd _ -> current().bodyEnded();
            case Action.BodyFailed failed -> current().bodyFailed(failed.why());
            case Action.CancelHandler cancel -> current().cancel(cancel.why());
            case Action.StopReading _ -> channel.config().setAutoRead(false);
            case Action.StartReading _ -> channel.config().setAutoRead(true);
            case Action.ShutdownOutput _ -> output.shutdown();
            case Action.Close _ -> output.close();
            case Action.Abort _ -> output.abort();
            case Action.Refused refused -> starter.refused(refused.status(), refused.why());
        }
    }

    private NettyExchange current() {
        NettyExchange present = exchange;
        if (present == null) {
            throw new IllegalStateException("the engine speaks of an exchange that was not dispatched");
        }
        return present;
    }

    private void dispatch(Action.Dispatch dispatch) {
        var started = new NettyExchange(this, dispatch.exchange(), dispatch.head());
        exchange = started;
        try {
            started.startedWith(starter.start(started, dispatch.head(), dispatch.plan()));
        } catch (Throwable refused) { // an Error too: else the exchange would count as running for ever
            notStarted(started, refused);
        }
    }

    /// The task may run all the same, if it was its start that failed: it finds no body, and nobody takes its answer.
    private void notStarted(NettyExchange refused, Throwable why) {
        var head = new ResponseHead(NOT_TAKEN.status(), TEXT, NOT_TAKEN.body().length).closing();
        later.add(new Event.Answered(refused.number(), head, Piece.of(NOT_TAKEN.body())));
        later.add(new Event.HandlerEnded(refused.number()));
        refused.cancel(Cause.STOP);
        starter.failed("start of a handler", why); // last: to tell of it may fail too
    }

    private void bodyBytes(Piece lent) {
        current().give(Arrays.copyOfRange(lent.bytes(), lent.from(), lent.to()));
    }

    private void retired(End end) {
        boolean wasStarted = current().isStarted();
        exchange = null;
        if (wasStarted) {
            starter.retired(end);
        }
    }

    // ---- the timer ----

    private void rearm() {
        long next = engine.nextDeadline();
        if (next < armedAt) {
            disarm();
            armedAt = next;
            alarm = loop.config().seams().timers().at(at(next), this::rang);
        } else if (next == Long.MAX_VALUE && alarm != null) {
            disarm();
        }
    }

    private Deadline at(long sinceOpened) {
        return Deadline.atNanos(openedNanos + sinceOpened, loop.config().seams().time());
    }

    private void disarm() {
        Alarm armed = alarm;
        if (armed != null) {
            armed.cancel();
        }
        alarm = null;
        armedAt = Long.MAX_VALUE;
    }

    private void tick() {
        alarm = null;
        armedAt = Long.MAX_VALUE;
        progressed();
        pump(TICK);
    }

    private void retireIfOver() {
        if (inactive && engine.isOver()) {
            disarm();
            loop.left(this);
        }
    }

    // ---- any thread ----

    private void rang() {
        try {
            loop.loop().execute(this::tick);
        } catch (RejectedExecutionException _) {
            // the loop has ended, and every connection with it
        }
    }

    EventLoop loop() {
        return loop.loop();
    }

    /// The address is kept by the channel from when it was first read.
    Optional<InetSocketAddress> peer() {
        return channel.remoteAddress() instanceof InetSocketAddress address ? Optional.of(address) : Optional.empty();
    }

    boolean isStopping() {
        return loop.isStopping();
    }

    /// A handler ended when its loop had gone already: there is nobody left to give an answer to.
    void endedAfterLoop() {
        starter.retired(End.CANCELLED_LATE);
    }
}
