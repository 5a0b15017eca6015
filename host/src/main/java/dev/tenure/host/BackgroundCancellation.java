package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Reason;
import dev.tenure.core.TimeSource;
import dev.tenure.host.internal.Bell;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Tells a [BackgroundService] that the host stops. Read-only: it cannot cancel, and converts to nothing.
///
/// **Owner:** the host. **Threads:** any.
public final class BackgroundCancellation implements ExecutionCancellation {
    private final AtomicReference<@Nullable Reason> reason = new AtomicReference<>();
    private final Bell bell;
    private final TimeSource time;

    BackgroundCancellation(Bell bell, TimeSource time) {
        this.bell = bell;
        this.time = time;
    }

    @Override
    public boolean isCancelled() {
        return reason.get() != null;
    }

    @Override
    public Optional<Reason> reason() {
        return Optional.ofNullable(reason.get());
    }

    /// Waits for the stop, at most so long: the pause between two rounds of a poller.
    ///
    /// @param pause the longest wait, on the host's clock
    /// @return whether the host stops
    public boolean await(Duration pause) {
        return bell.await(this::isCancelled, Deadline.in(pause, time));
    }

    /// Waits for the stop.
    public void await() {
        bell.await(this::isCancelled, Deadline.none());
    }

    void fire(Reason why) {
        reason.compareAndSet(null, why);
        bell.ring();
    }
}
