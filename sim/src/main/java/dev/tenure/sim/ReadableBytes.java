package dev.tenure.sim;

import dev.tenure.testkit.World;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;

/// Bytes as an open file.
///
/// **Owner:** the scope it was opened into. **Ends:** [#close()]. **Threads:** one.
final class ReadableBytes implements SeekableByteChannel {
    private static final String NAME = "open blob";

    private final World world;
    private final ByteBuffer bytes;
    private boolean open = true;

    ReadableBytes(World world, byte[] bytes) {
        this.world = world;
        this.bytes = ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    private void checkOpen() throws ClosedChannelException {
        if (!open) {
            world.usedAfterItsEnd(NAME, "a blob was read after its close");
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer into) throws ClosedChannelException {
        checkOpen();
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int count = Math.min(into.remaining(), bytes.remaining());
        into.put(bytes.slice(bytes.position(), count));
        bytes.position(bytes.position() + count);
        return count;
    }

    @Override
    public int write(ByteBuffer source) {
        throw new NonWritableChannelException();
    }

    @Override
    public long position() {
        return bytes.position();
    }

    @Override
    public SeekableByteChannel position(long at) throws ClosedChannelException {
        checkOpen();
        bytes.position((int) Math.min(at, bytes.limit()));
        return this;
    }

    @Override
    public long size() {
        return bytes.limit();
    }

    @Override
    public SeekableByteChannel truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            world.ended(this, "close");
        }
    }

    @Override
    public String toString() {
        return NAME;
    }
}
