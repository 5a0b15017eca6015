package dev.tenure.http.internal.exchange;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What an engine knows. Times are nanoseconds since the connection began.
///
/// **Owner:** one engine and its parts. **States:** `HEAD -> EXCHANGE -> HEAD`, from each `-> LINGER -> CLOSED` or
/// straight `-> CLOSED`.
final class ConnectionState {
    enum Phase {
        /// Between requests, or within a head.
        HEAD,
        /// A request is being answered.
        EXCHANGE,
        /// Our FIN is out; what still comes is dropped.
        LINGER,
        /// The transport was told to close. A handler may still be running.
        CLOSED
    }

    private static final long STOP_LINGER_NANOS = 50_000_000;

    final EngineLimits limits;
    private final BooleanSupplier stopping;
    private final Consumer<Action> actions;

    Phase phase = Phase.HEAD;

    @Nullable
    CurrentExchange current;

    int exchanges;
    long now;

    // ---- the connection ----

    boolean draining;
    boolean forced;
    boolean gone;
    boolean inputEnded;
    boolean reading = true;

    // ---- clocks ----

    /// When the present head's first byte came; for the first head, when the connection began.
    long headSince;

    boolean headStarted;
    long idleSince;
    long lastActivity;
    long lingerUntil;

    /// When the peer last had taken enough, or was first given something to take.
    long lastWrite;

    /// What the peer has taken since then.
    long takenSince;

    /// When an event stream last had something to say.
    long lastSent;

    /// Everything written is with the transport.
    boolean drained = true;

    ConnectionState(EngineLimits limits, BooleanSupplier stopping, Consumer<Action> actions) {
        this.limits = limits;
        this.stopping = stopping;
        this.actions = actions;
    }

    boolean isStopping() {
        return draining || stopping.getAsBoolean();
    }

    void act(Action action) {
        actions.accept(action);
    }

    void wrote() {
        lastSent = now;
        if (drained) {
            drained = false;
            lastWrite = now;
            takenSince = 0;
        }
    }

    /// The peer has taken some; it must take enough for the clock to begin anew.
    void taken(long bytes) {
        takenSince += bytes;
        if (takenSince >= limits.sizes().writeMin()) {
            takenSince = 0;
            lastWrite = now;
        }
    }

    void stopReading() {
        if (reading) {
            reading = false;
            act(new Action.StopReading());
        }
    }

    void startReading() {
        if (!reading) {
            reading = true;
            act(new Action.StartReading());
        }
    }

    void close() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            act(new Action.Close());
        }
    }

    void abort() {
        if (phase != Phase.CLOSED) {
            phase = Phase.CLOSED;
            act(new Action.Abort());
        }
    }

    void linger() {
        phase = Phase.LINGER;
        lingerUntil = now + limits.clocks().linger();
        startReading();
        lingerLess();
    }

    /// While draining, what lingers holds the stop up: it gets less time.
    void lingerLess() {
        if (draining && phase == Phase.LINGER) {
            lingerUntil = Math.min(lingerUntil, now + STOP_LINGER_NANOS);
        }
    }

    /// Cancels the handler if it runs and was not cancelled before.
    void cancel(CurrentExchange x, Action.Cause why) {
        if (x.running && x.cancelled == null) {
            x.cancelled = why;
            act(new Action.CancelHandler(x.number, why));
        }
    }

    void failBody(CurrentExchange x, Action.BodyFault why) {
        if (x.delivering) {
            x.delivering = false;
            if (!x.body.done()) {
                act(new Action.BodyFailed(x.number, why));
            }
        }
    }
}
