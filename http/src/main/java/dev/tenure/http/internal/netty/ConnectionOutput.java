package dev.tenure.http.internal.netty;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tenure.http.internal.exchange.Action;
import dev.tenure.http.internal.exchange.Piece;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The way out of one connection: gathers what one event writes, and sends it in one flush.
///
/// **Owner:** the connection; the staged buffer is released by the transport, or here if the connection breaks off.
/// **Threads:** the event loop. **Limits:** a body of more than 32 KiB goes out as it is, without a copy of ours.
final class ConnectionOutput {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(US_ASCII);
    private static final byte[] LINE_END = "\r\n".getBytes(US_ASCII);
    private static final byte[] HEX = "0123456789abcdef".getBytes(US_ASCII);
    private static final int COPY_BYTES_MAX = 32_768;
    private static final int ROOM = 64;

    private final LoopContext loop;
    private final Channel channel;
    private final Consumer<Throwable> failed;

    private @Nullable ByteBuf staged;
    private boolean unflushed;
    private int streamed;
    private long pieces;
    private boolean shutdown;
    private boolean close;
    private boolean watching;
    private long handed;
    private long taken;

    /// The way out of a channel.
    ///
    /// @param failed is told of a write that the transport did not take; of one by the void promise its pipeline is
    ConnectionOutput(LoopContext loop, Channel channel, Consumer<Throwable> failed) {
        this.loop = loop;
        this.channel = channel;
        this.failed = failed;
    }

    // ---- staging ----

    void head(Action.WriteHead write, long nowNanos) {
        var encoder = loop.encoder(nowNanos);
        int length = encoder.encode(write.head(), write.framing(), write.persistence());
        long body = write.head().contentLength();
        room(length + (body > 0 && body <= COPY_BYTES_MAX ? (int) body : 0)).writeBytes(encoder.bytes(), 0, length);
    }

    void continuing() {
        room(CONTINUE.length).writeBytes(CONTINUE);
    }

    void lastChunk() {
        room(LAST_CHUNK.length).writeBytes(LAST_CHUNK);
    }

    void bytes(Piece piece, boolean chunked) {
        pieces++;
        streamed += piece.length();
        if (piece.length() > COPY_BYTES_MAX && !chunked) {
            push();
            handed += piece.length();
            channel.write(Unpooled.wrappedBuffer(piece.bytes(), piece.from(), piece.length()), channel.voidPromise());
            unflushed = true;
            return;
        }
        ByteBuf out = room(piece.length() + ROOM);
        if (chunked) {
            chunkSize(out, piece.length());
        }
        out.writeBytes(piece.bytes(), piece.from(), piece.length());
        if (chunked) {
            out.writeBytes(LINE_END);
        }
    }

    private static void chunkSize(ByteBuf out, int size) {
        int shift = 28;
        while (shift > 0 && size >>> shift == 0) {
            shift -= 4;
        }
        for (; shift >= 0; shift -= 4) {
            out.writeByte(HEX[(size >>> shift) & 15]);
        }
        out.writeBytes(LINE_END);
    }

    private ByteBuf room(int bytes) {
        ByteBuf present = staged;
        if (present == null) {
            present = channel.alloc().directBuffer(bytes + ROOM);
            staged = present;
        }
        return present;
    }

    /// How many pieces were let through.
    long pieces() {
        return pieces;
    }

    boolean isStaged() {
        return staged != null || unflushed;
    }

    // ---- sending ----

    private void push() {
        ByteBuf out = staged;
        if (out != null) {
            staged = null;
            handed += out.readableBytes();
            channel.write(out, channel.voidPromise());
            unflushed = true;
        }
    }

    /// Sends what is staged. What of it was streamed leaves the gate of its exchange when the transport has taken it;
    /// if that is later, progress is told.
    void flush(@Nullable NettyExchange from, Runnable progress) {
        int bytes = streamed;
        streamed = 0;
        ByteBuf out = staged;
        staged = null;
        unflushed = false;
        handed += out == null ? 0 : out.readableBytes();
        if (from == null || !from.isStreaming() || bytes == 0) {
            if (out != null) {
                channel.write(out, channel.voidPromise());
            }
            channel.flush();
            return;
        }
        ChannelFuture taken = channel.writeAndFlush(out == null ? Unpooled.EMPTY_BUFFER : out);
        if (taken.isDone()) {
            left(from, bytes, taken);
        } else {
            taken.addListener(_ -> {
                left(from, bytes, taken);
                progress.run();
            });
        }
    }

    /// Also what failed leaves the gate: nobody waits for it any more.
    private void left(NettyExchange from, int bytes, ChannelFuture taken) {
        from.left(bytes);
        Throwable cause = taken.cause();
        if (cause != null) {
            failed.accept(cause);
        }
    }

    boolean isEmpty() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null || buffer.isEmpty();
    }

    /// Calls once everything written so far is with the transport, and each time when something was.
    void whenEmpty(Runnable empty, Runnable progress) {
        if (watching) {
            return;
        }
        watching = true;
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(taken -> {
            watching = false;
            if (!taken.isSuccess()) {
                failed.accept(taken.cause());
                return;
            }
            if (isEmpty()) {
                empty.run();
            } else {
                progress.run();
                whenEmpty(empty, progress);
            }
        });
    }

    /// What the transport has taken since it was last asked.
    long taken() {
        long all = handed - waiting();
        long news = all - taken;
        taken = all;
        return news;
    }

    /// All of it is taken: there is no news.
    void allTaken() {
        taken = handed;
    }

    private long waiting() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        if (buffer == null || buffer.isEmpty()) {
            return 0;
        }
        var waiting = new Waiting();
        try {
            buffer.forEachFlushedMessage(waiting);
        } catch (Exception bug) {
            throw new IllegalStateException("what waits could not be counted", bug);
        }
        return waiting.bytes;
    }

    private static final class Waiting implements ChannelOutboundBuffer.MessageProcessor {
        private long bytes;

        @Override
        public boolean processMessage(Object message) {
            if (message instanceof ByteBuf part) {
                bytes += part.readableBytes();
            }
            return true;
        }
    }

    // ---- ending ----

    void shutdown() {
        shutdown = true;
    }

    void close() {
        close = true;
    }

    /// Does what was asked for, once the output that came before it has gone.
    void settle() {
        if (close) {
            channel.close();
        } else if (shutdown && isEmpty() && channel instanceof DuplexChannel duplex) {
            shutdown = false;
            duplex.shutdownOutput();
        }
    }

    /// Closes by a reset.
    void abort() {
        ByteBuf out = staged;
        if (out != null) {
            staged = null;
            out.release();
        }
        unflushed = false;
        if (channel.isOpen()) { // the option of a socket that was closed cannot be set
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
            channel.close();
        }
    }
}
