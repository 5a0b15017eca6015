package dev.tenure.testkit;

import dev.tenure.core.Probe;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;

/// A connected socket that is only pretended.
///
/// **Owner:** who opened it by [World#socket]. **Ends:** by [#close()], which can be repeated.
/// **Fails:** a use after the close throws `IOException` and fails the sweep; an interrupt in a read
/// closes it, as on a virtual thread.
public final class FakeSocket implements Closeable {
    private final World world;
    private final String name;
    private boolean open = true;
    private boolean lost;
    private int written;

    private FakeSocket(World world, String name) {
        this.world = world;
        this.name = name;
    }

    static FakeSocket connect(World world, String peer) throws IOException {
        return world.open("connect", "socket " + peer, new FakeSocket(world, "socket " + peer));
    }

    /// Reads what the peer says.
    ///
    /// @return a byte
    /// @throws IOException if it is closed, the thread is interrupted, or a fault says so
    public int read() throws IOException {
        use("read");
        if (Thread.currentThread().isInterrupted()) {
            open = false;
            lost = true;
            world.lost(this, "closed by an interrupt");
            throw new InterruptedIOException(name + ": closed by an interrupt in a read");
        }
        Probe.after("read", name);
        return 42;
    }

    /// Writes to the peer.
    ///
    /// @param bytes how many
    /// @throws IOException if it is closed, or a fault says so
    public void write(int bytes) throws IOException {
        use("write");
        written += bytes;
        Probe.after("write", name);
    }

    private void use(String how) throws IOException {
        Probe.before(how, name);
        if (!open && !lost) {
            world.usedAfterItsEnd(name, "%s: %s after its close".formatted(name, how));
        }
        if (!open) {
            throw new IOException(name + " is closed");
        }
    }

    /// How much was written.
    ///
    /// @return bytes
    public int written() {
        return written;
    }

    /// Whether it is open.
    ///
    /// @return false once closed
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        try {
            Probe.before("end", name);
        } finally {
            if (open) {
                open = false;
                world.ended(this, "close");
            }
        }
        Probe.after("end", name);
    }

    @Override
    public String toString() {
        return name;
    }
}
