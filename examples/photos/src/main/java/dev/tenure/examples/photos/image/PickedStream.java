package dev.tenure.examples.photos.image;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.util.List;
import java.util.Optional;
import javax.imageio.stream.ImageInputStreamImpl;

/// Shows a decoder some parts of a file as one stream, without holding more than a buffer of it.
///
/// **Owner:** the decode; the channel stays the caller's. **Threads:** one. **Limits:** 64 KiB of buffer.
/// **Fails:** the first failed read is also kept, since decoders wrap it into errors of their own.
final class PickedStream extends ImageInputStreamImpl {
    private final SeekableByteChannel channel;
    private final ByteBuffer prefix;
    private final List<Ranges.Part> parts;
    private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).limit(0);
    private final long length;
    private long bufferStart;
    private Optional<IOException> failure = Optional.empty();

    PickedStream(SeekableByteChannel channel, ByteBuffer prefix, List<Ranges.Part> parts) {
        this.channel = channel;
        this.prefix = prefix;
        this.parts = parts;
        this.length =
                prefix.limit() + parts.stream().mapToLong(Ranges.Part::bytes).sum();
    }

    /// The failure of the channel, if it had one.
    Optional<IOException> failure() {
        return failure;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public int read() throws IOException {
        checkClosed();
        bitOffset = 0;
        if (!isBuffered()) {
            return -1;
        }
        return buffer.get((int) (streamPos++ - bufferStart)) & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
        checkClosed();
        bitOffset = 0;
        if (count == 0) {
            return 0;
        }
        if (!isBuffered()) {
            return -1;
        }
        int at = (int) (streamPos - bufferStart);
        int given = Math.min(count, buffer.limit() - at);
        buffer.get(at, bytes, offset, given);
        streamPos += given;
        return given;
    }

    private boolean isBuffered() throws IOException {
        if (streamPos >= bufferStart && streamPos < bufferStart + buffer.limit()) {
            return true;
        }
        if (streamPos >= length) {
            return false;
        }
        bufferStart = streamPos;
        buffer.clear();
        try {
            fill();
        } catch (IOException failed) {
            failure = failure.or(() -> Optional.of(failed));
            throw failed;
        } finally {
            buffer.flip();
        }
        return buffer.limit() > 0;
    }

    private void fill() throws IOException {
        long skipped = streamPos;
        if (skipped < prefix.limit()) {
            buffer.put(0, prefix, (int) skipped, prefix.limit() - (int) skipped)
                    .position(prefix.limit() - (int) skipped);
        }
        skipped = Math.max(0, skipped - prefix.limit());
        for (var part : parts) {
            if (skipped >= part.bytes()) {
                skipped -= part.bytes();
            } else {
                copy(part.from() + skipped, part.to());
                skipped = 0;
            }
        }
    }

    private void copy(long from, long to) throws IOException {
        int wanted = (int) Math.min(buffer.remaining(), to - from);
        var window = buffer.slice(buffer.position(), wanted);
        channel.position(from);
        while (window.hasRemaining() && channel.read(window) >= 0) {
            // a channel may give less than was asked for
        }
        buffer.position(buffer.position() + window.position());
    }
}
