package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Reason;
import dev.tenure.core.TimeSource;
import dev.tenure.host.internal.Bell;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Where a host stands: one word after the other, each written once.
///
/// ```
/// not ready --ready()--> ready --request--> stopping --report--> stopped
///     '------------------request---------------^   '--force--^
/// ```
///
/// **Threads:** any; the first request to stop and the first for force win, and anchor their clocks.
final class Lifecycle {
    /// The first request to stop.
    record Request(String trigger, Reason reason, long atNanos) {}

    /// The first request for force.
    record Force(String by, long atNanos) {}

    /// The end: what everybody gets, and the throwables for whoever started the host.
    record Ended(ShutdownReport report, List<Throwable> failures) {}

    private final Bell bell;
    private final TimeSource time;
    private final AtomicReference<@Nullable Request> request = new AtomicReference<>();
    private final AtomicReference<@Nullable Force> force = new AtomicReference<>();
    private final CompletableFuture<Ended> ended = new CompletableFuture<>();
    private volatile boolean ready;
    private volatile boolean exiting;

    Lifecycle(Bell bell, TimeSource time) {
        this.bell = bell;
        this.time = time;
    }

    boolean requestStop(String trigger, Reason reason) {
        var first = request.compareAndSet(null, new Request(trigger, reason, time.nanos()));
        bell.ring();
        return first;
    }

    void requestForce(String by) {
        force.compareAndSet(null, new Force(by, time.nanos()));
        bell.ring();
    }

    /// The JVM exits: calls that wait inside `exit` never return.
    void exiting() {
        exiting = true;
        bell.ring();
    }

    void ready() {
        ready = true;
    }

    boolean isReady() {
        return ready && !isStopping();
    }

    boolean isStopping() {
        return request.get() != null;
    }

    boolean isExiting() {
        return exiting;
    }

    boolean isEnded() {
        return ended.isDone();
    }

    Optional<Request> request() {
        return Optional.ofNullable(request.get());
    }

    Optional<Force> force() {
        return Optional.ofNullable(force.get());
    }

    Request awaitRequest() {
        bell.await(this::isStopping, Deadline.none());
        return request().orElseThrow();
    }

    boolean awaitEnded(Deadline until) {
        return bell.await(ended::isDone, until);
    }

    void end(Ended end) {
        ended.complete(end);
        bell.ring();
    }

    void fail(Throwable failure) {
        ended.completeExceptionally(failure);
        bell.ring();
    }

    CompletableFuture<Ended> ended() {
        return ended;
    }
}
