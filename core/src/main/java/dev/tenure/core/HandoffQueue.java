package dev.tenure.core;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A bounded queue that owns what is on its way from one owner to another.
///
/// **Owner:** whoever opened it; what is in it is owned by the queue, between the return of `offer` and
/// that of `take`. **Ends:** by [#close()], which refuses offers and takers and releases what nobody
/// took, oldest first. **States:** `open -> sealed -> closed`. **Threads:** any; first in, first out,
/// in no order among waiting takers. **Limits:** its capacity. **Fails:** [AdmissionClosed],
/// [Cancelled] for a waiting taker; the giver still owns. **Source:** ownership 4.5, pitfall 22.
///
/// @param <T> the values' type
public final class HandoffQueue<T> implements AutoCloseable {
    private final String name;
    private final Transit<T> transit;

    // Guarded by this.
    private @Nullable CloseReport report;

    private HandoffQueue(String name, int capacity, Supervisor.Options options) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity: %d (expected: >= 1)".formatted(capacity));
        }
        this.name = Objects.requireNonNull(name, "name");
        this.transit = new Transit<>(this, capacity, options);
        Probe.opened("queue", name, this, null);
    }

    /// Opens a queue.
    ///
    /// @param <T> the values' type
    /// @param name a static label for reports
    /// @param capacity how many values may be in transit, at least 1
    /// @return the queue
    public static <T> HandoffQueue<T> open(String name, int capacity) {
        return new HandoffQueue<>(name, capacity, Supervisor.Options.DEFAULT);
    }

    /// Offers a value: moves it in, or refuses it at once if the queue is full. Throws
    /// [AdmissionClosed] if the queue is closed. Refused or thrown, the caller's handle is live as
    /// before.
    ///
    /// @param handle what is offered
    /// @return whether the queue owns it now
    @CheckReturnValue
    public boolean offer(Owned<T> handle) {
        if (!transit.promise()) {
            return false;
        }
        try {
            handle.moveInto(transit, "offer");
            return true;
        } finally {
            transit.kept();
        }
    }

    /// Takes the oldest value, waiting for one. Throws [AdmissionClosed] once the queue is closed, and
    /// [Cancelled] if the taker is cancelled; nothing was taken then.
    ///
    /// @param into a scope of this thread, which owns the value on return
    /// @return the live handle
    @CheckReturnValue
    public Owned<T> take(Scope into) {
        return take(into, Deadline.none())
                .orElseThrow(() -> new IllegalStateException("queue '" + name + "': a wait without deadline ended"));
    }

    /// Takes the oldest value, waiting no longer than the deadline. Fails as [#take(Scope)] does.
    ///
    /// @param into a scope of this thread, which owns the value on return
    /// @param deadline the end of the wait
    /// @return the live handle, or empty if there was none in time
    @CheckReturnValue
    public Optional<Owned<T>> take(Scope into, Deadline deadline) {
        into.checkUsable("take from", name);
        into.checkpoint();
        while (true) {
            if (transit.isSealed()) {
                throw transit.refusal("take");
            }
            Owned<T> oldest = transit.oldest();
            if (oldest != null) {
                Optional<Owned<T>> taken = taken(oldest, into);
                if (taken.isPresent()) {
                    return taken;
                }
            } else if (!into.strand().await(transit.waiters, transit::isStirring, into, deadline)) {
                return Optional.empty();
            }
        }
    }

    /// Moves the value out.
    ///
    /// @return empty if its offerer gave up, or the queue's close was first
    private Optional<Owned<T>> taken(Owned<T> oldest, Scope into) {
        oldest.awaitSettled(Deadline.none());
        if (oldest.isTerminal()) {
            return Optional.empty();
        }
        try {
            return Optional.of(oldest.moveInto(into, "take"));
        } catch (StaleHandle _) {
            return Optional.empty();
        } catch (Throwable refused) {
            transit.putBack(oldest);
            throw refused;
        }
    }

    /// Refuses offers and takers and releases what is in transit. Waits until that has ended, whoever
    /// closed first. Throws [CloseFailure] if a release failed, and `IllegalStateException` from inside
    /// such a release.
    @Override
    public void close() {
        refuseInsideOwnRelease();
        boolean mine = transit.seal();
        if (mine) {
            releaseAll();
        }
        transit.waiters.await(() -> reportOrNull() != null, Deadline.none(), new Waiters.Patient("close of " + name));
        CloseReport done = Objects.requireNonNull(reportOrNull());
        if (mine && done.status() == CloseReport.Status.FAILED) {
            throw new CloseFailure("queue '" + name + "'", done.failures());
        }
    }

    /// A caller that the close would wait for would wait for ever.
    private void refuseInsideOwnRelease() {
        Thread self = Thread.currentThread();
        if (transit.handles().stream().anyMatch(handle -> handle.isReleasedBy(self))) {
            throw new IllegalStateException(
                    "queue '%s' is closed from inside the release of a value in transit: return instead"
                            .formatted(name));
        }
    }

    private void releaseAll() {
        long started = transit.options().timeSource().nanos();
        var failures = new ArrayList<CloseReport.Failure>(0);
        note(Probe.step("close", name, "sealed"), failures);
        int released = 0;
        for (Owned<?> handle : transit.handles()) {
            var failure = handle.endAtLast();
            failure.ifPresent(
                    thrown -> failures.add(new CloseReport.Failure(handle.type().name(), thrown)));
            released += handle.state() == Owned.State.MOVED ? 0 : 1;
        }
        transit.waiters.await(
                () -> transit.live() == 0, Deadline.none(), new Waiters.Patient("takers of queue " + name));
        note(Probe.step("close", name, "released"), failures);
        Duration elapsed = Duration.ofNanos(transit.options().timeSource().nanos() - started);
        var ended = CloseReport.ended(name, released, failures, elapsed);
        Probe.ended("queue", name, this, "CLOSED");
        Probe.reported(this, ended);
        Jfr.closed(ended);
        synchronized (this) {
            report = ended;
        }
        transit.waiters.wake();
    }

    private void note(@Nullable Throwable injected, List<CloseReport.Failure> failures) {
        if (injected != null) {
            failures.add(new CloseReport.Failure("queue " + name, injected));
        }
    }

    private synchronized @Nullable CloseReport reportOrNull() {
        return report;
    }

    /// How many values are in transit.
    ///
    /// @return a snapshot
    public int size() {
        return transit.live();
    }

    /// Whether it refuses offers and takers.
    ///
    /// @return true for ever once true
    public boolean isClosed() {
        return transit.isSealed();
    }

    /// Its name.
    ///
    /// @return for reports
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "queue " + name + (isClosed() ? " closed" : " open") + ", " + size() + " in transit";
    }
}
