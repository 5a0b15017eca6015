package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.Probe;
import java.io.InterruptedIOException;

/// A bounded pool of connections that are only pretended.
///
/// **Owner:** the world. **Limits:** its capacity; a lease waits for a free connection. **Fails:** a
/// second return of one lease, a use after it, and a close under a user are failures of the sweep.
public final class FakePool implements AutoCloseable {
    private final World world;
    private final String name;
    private final int capacity;
    private int leased;
    private boolean closed;

    FakePool(World world, String name, int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: >= 1)");
        }
        this.world = world;
        this.name = name;
        this.capacity = capacity;
    }

    /// Takes a connection, waiting for one if need be.
    ///
    /// @return the lease, to be closed
    /// @throws InterruptedIOException if the thread is interrupted while it waits
    public Connection lease() throws InterruptedIOException {
        Thread waiter = Thread.currentThread();
        Probe.before("lease", name);
        while (leased == capacity && !closed) {
            if (waiter.isInterrupted()) {
                throw new InterruptedIOException(name + ": interrupted while all %d are leased".formatted(capacity));
            }
            world.await(
                    "a connection of " + name,
                    () -> leased < capacity || closed || waiter.isInterrupted(),
                    Deadline.none());
        }
        if (closed) {
            throw new IllegalStateException(name + " is closed");
        }
        var connection = new Connection();
        leased++;
        world.opened(name, connection);
        try {
            Probe.after("lease", name);
        } catch (Throwable fault) {
            connection.out = false;
            leased--;
            world.lost(connection, "undone");
            throw fault;
        }
        return connection;
    }

    /// How many are out.
    ///
    /// @return the present number
    public int leased() {
        return leased;
    }

    /// Closes the pool; refused while a connection is out.
    @Override
    public void close() {
        Probe.before("end", "pool " + name);
        if (leased > 0) {
            throw new IllegalStateException(
                    "pool %s: %d of %d connections are in use".formatted(name, leased, capacity));
        }
        closed = true;
        Probe.after("end", "pool " + name);
    }

    @Override
    public String toString() {
        return "pool " + name;
    }

    /// A leased connection.
    ///
    /// **Owner:** who leased it. **Ends:** by [#close()], once.
    public final class Connection implements AutoCloseable {
        private boolean out = true;

        private Connection() {}

        /// Runs a statement.
        ///
        /// @param statement its text, for the trace
        public void execute(String statement) {
            Probe.before("execute", name);
            if (!out) {
                world.usedAfterItsEnd(
                        name, "a connection of '%s' was used after its return, by %s".formatted(name, statement));
            }
            Probe.after("execute", name);
        }

        /// Gives it back.
        @Override
        public void close() {
            try {
                Probe.before("end", name);
            } finally {
                if (!out) {
                    world.violated(new Violation(
                            2,
                            2,
                            name,
                            "a connection of '%s' was returned twice".formatted(name),
                            "return it by its one owner"));
                } else {
                    giveBack("return to the pool");
                }
            }
            Probe.after("end", name);
        }

        private void giveBack(String how) {
            out = false;
            leased--;
            world.ended(this, how);
        }

        @Override
        public String toString() {
            return "connection of " + name;
        }
    }
}
