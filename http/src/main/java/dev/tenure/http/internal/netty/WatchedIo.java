package dev.tenure.http.internal.netty;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import java.util.Optional;
import java.util.function.Consumer;

/// The I/O of one event loop, with an eye on its end: an error that leaves it ends the loop, and Netty would only log
/// that.
///
/// **Owner:** its event loop. **Ends:** with the loop; what is still registered then is closed. **Threads:** the
/// loop's, but for [#wakeup()].
final class WatchedIo implements IoHandler {
    private final IoHandler io;
    private final Consumer<Optional<Throwable>> ended;

    // Confined to the loop.
    private Optional<Throwable> failure = Optional.empty();

    /// Watches.
    ///
    /// @param io the transport's own
    /// @param ended is told on the loop's thread, once nothing of it runs any more
    WatchedIo(IoHandler io, Consumer<Optional<Throwable>> ended) {
        this.io = io;
        this.ended = ended;
    }

    @Override
    public void initialize() {
        io.initialize();
    }

    @Override
    public int run(IoHandlerContext context) {
        try {
            return io.run(context);
        } catch (RuntimeException | Error fatal) {
            failure = Optional.of(fatal);
            throw fatal;
        }
    }

    @Override
    public void prepareToDestroy() {
        io.prepareToDestroy();
    }

    @Override
    public void destroy() {
        try {
            io.prepareToDestroy(); // a loop that ended by itself has not closed what it carried
        } finally {
            try {
                ended.accept(failure);
            } finally {
                io.destroy();
            }
        }
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return io.register(handle);
    }

    @Override
    public void wakeup() {
        io.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> type) {
        return io.isCompatible(type);
    }
}
