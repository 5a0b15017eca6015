package dev.tenure.testkit;

import dev.tenure.core.Probe;
import java.nio.channels.ClosedByInterruptException;
import org.jspecify.annotations.Nullable;

/// A closeable of the user's own under watch, without an agent.
///
/// **Owner:** the code that tracked it. **Ends:** by [#close()], which must not be cut short.
/// **Fails:** as the closeable does; a use after the close is a failure of the sweep.
///
/// @param <T> the closeable's type
@SuppressWarnings("try") // it closes what the user wrote, which may throw anything
public final class Tracked<T extends AutoCloseable> implements AutoCloseable {
    private final World world;
    private final T value;
    private final String name;
    private boolean closed;

    private Tracked(World world, T value, String name) {
        this.world = world;
        this.value = value;
        this.name = name;
    }

    static <T extends AutoCloseable> Tracked<T> of(World world, T value, String name) {
        var tracked = new Tracked<>(world, value, name);
        Probe.before("track", name);
        world.opened(name, tracked);
        try {
            Probe.after("track", name);
        } catch (Throwable fault) {
            world.lost(tracked, "undone");
            throw fault;
        }
        return tracked;
    }

    /// The closeable, for a use.
    ///
    /// @return itself
    public T get() {
        if (closed) {
            world.usedAfterItsEnd(name, "'%s' was used after its close".formatted(name));
        }
        Probe.point("use " + name);
        return value;
    }

    /// Closes it. A second close reaches the closeable too, which must bear it.
    ///
    /// @throws Exception as the closeable does
    @Override
    public void close() throws Exception {
        Throwable fault = null;
        try {
            Probe.before("end", name);
        } catch (Throwable injected) {
            fault = injected;
        }
        try {
            value.close();
        } catch (Throwable failure) {
            closed = true;
            cutShort(failure);
            world.lost(this, "a close that failed");
            throw failure;
        }
        if (!closed) {
            closed = true;
            world.ended(this, "close");
        }
        if (fault != null) {
            Injected.<Exception>thrown(fault);
        }
    }

    private void cutShort(@Nullable Throwable failure) {
        boolean byInterrupt = failure instanceof InterruptedException
                || failure instanceof ClosedByInterruptException
                || failure instanceof java.io.InterruptedIOException;
        if (byInterrupt && !world.isInterruptedByOthers()) {
            world.violated(new Violation(
                    6,
                    7,
                    name,
                    "the close of '%s' was cut short by an interrupt".formatted(name),
                    "run it masked: give it to a scope, which releases with interrupts held back"));
        }
    }

    @Override
    public String toString() {
        return "'" + name + "'";
    }
}
