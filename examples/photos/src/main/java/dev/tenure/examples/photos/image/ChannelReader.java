package dev.tenure.examples.photos.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/// Reads big-endian values from a channel through one buffer; the end of the file is a [BrokenImage].
///
/// **Owner:** the channel stays the caller's. **Threads:** one. **Limits:** 64 KiB of buffer.
final class ChannelReader {
    private static final int BUFFER_BYTES = 1 << 16;

    private final SeekableByteChannel channel;
    private final long size;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long start;
    private int next;
    private int limit;
    private String place = "its signature";

    ChannelReader(SeekableByteChannel channel) throws IOException {
        this.channel = channel;
        this.size = channel.size();
        channel.position(0);
    }

    /// Takes bytes of a file in order, without keeping the array.
    interface Sink {
        void take(byte[] bytes, int offset, int length);
    }

    /// What the messages call the part that is being read.
    void inside(String what) {
        this.place = what;
    }

    long size() {
        return size;
    }

    long position() {
        return start + next;
    }

    int u8() throws IOException {
        if (next == limit) {
            fill();
        }
        return buffer[next++] & 0xff;
    }

    int u16() throws IOException {
        return (u8() << 8) | u8();
    }

    long u32() throws IOException {
        return ((long) u16() << 16) | u16();
    }

    byte[] bytes(int count) throws IOException {
        requireLeft(count);
        byte[] result = new byte[count];
        for (int i = 0; i < count; i++) {
            result[i] = (byte) u8();
        }
        return result;
    }

    void skip(long count) throws IOException {
        requireLeft(count);
        if (count <= limit - next) {
            next += (int) count;
            return;
        }
        start = position() + count;
        channel.position(start);
        next = 0;
        limit = 0;
    }

    void pass(long count, Sink sink) throws IOException {
        requireLeft(count);
        for (long left = count; left > 0; ) {
            if (next == limit) {
                fill();
            }
            int length = (int) Math.min(left, limit - next);
            sink.take(buffer, next, length);
            next += length;
            left -= length;
        }
    }

    /// Skips to just after the next byte of that value.
    void skipPast(int value) throws IOException {
        while (u8() != value) {
            while (next < limit && (buffer[next] & 0xff) != value) {
                next++;
            }
        }
    }

    private void requireLeft(long count) {
        if (count > size - position()) {
            throw truncated();
        }
    }

    private void fill() throws IOException {
        start += limit;
        next = 0;
        limit = Math.max(0, channel.read(ByteBuffer.wrap(buffer)));
        if (limit == 0) {
            throw truncated();
        }
    }

    private BrokenImage truncated() {
        return new BrokenImage("the file ends after %d bytes, inside %s: it is truncated".formatted(size, place));
    }
}
