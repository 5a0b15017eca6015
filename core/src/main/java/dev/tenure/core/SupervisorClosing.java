package dev.tenure.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The one close of a supervisor, on a thread of its own, and everybody who waits for it.
final class SupervisorClosing {
    private final Supervisor supervisor;

    // Guarded by this.
    private @Nullable CloseReport report;
    private boolean begun;

    /// Set when everything has ended, whatever the report says.
    private volatile boolean over;

    /// The thread of the close.
    private volatile @Nullable Thread closer;

    SupervisorClosing(Supervisor supervisor) {
        this.supervisor = supervisor;
    }

    CloseReport close(Deadline budget) {
        refuseFromInside();
        boolean first;
        synchronized (this) {
            if (report != null) {
                return report;
            }
            first = !begun;
            begun = true;
        }
        if (first) {
            start();
        }
        var patient = new Waiters.Patient("close of " + supervisor.name());
        if (!supervisor.waiters.await(() -> reportOrNull() != null, budget, patient)) {
            return overdue();
        }
        return Objects.requireNonNull(reportOrNull());
    }

    /// Waits until everything has ended, also after an overdue report.
    void awaitOver() {
        supervisor.waiters.await(() -> over, Deadline.none(), new Waiters.Patient("end of " + supervisor.name()));
    }

    private void start() {
        Threads threads = supervisor.options().threads();
        try {
            Strand.startPlatform(threads, "tenure-close of " + supervisor.name(), supervisor, this::closeAll);
        } catch (Throwable refused) {
            synchronized (this) {
                begun = false;
            }
            throw refused;
        }
    }

    /// A caller that the close would wait for would wait for ever.
    private void refuseFromInside() {
        Thread self = Thread.currentThread();
        if (self == closer || isReleasing(self)) {
            throw new IllegalStateException(
                    "supervisor '%s' is closed from inside the release of a value it owns: return instead"
                            .formatted(supervisor.name()));
        }
        Strand at = Strand.ofThread();
        while (at instanceof Task<?> task) {
            if (supervisor.stripes().anyMatch(stripe -> stripe.owns(task))) {
                throw new IllegalStateException(
                        "supervisor '%s' is closed by its own task '%s', which would wait for itself: %s"
                                .formatted(supervisor.name(), task.name(), "seal it and return"));
            }
            at = task.owner() instanceof Scope forker ? forker.strand() : null;
        }
    }

    private boolean isReleasing(Thread thread) {
        return supervisor
                .stripes()
                .flatMap(stripe -> stripe.liveHandles().stream())
                .anyMatch(handle -> handle.isReleasedBy(thread));
    }

    private synchronized @Nullable CloseReport reportOrNull() {
        return report;
    }

    /// The first report is the only one.
    private synchronized boolean remember(CloseReport made) {
        if (report != null) {
            return false;
        }
        report = made;
        return true;
    }

    private CloseReport overdue() {
        var pending = new ArrayList<>(supervisor.holders());
        supervisor
                .stripes()
                .flatMap(stripe -> stripe.liveHandles().stream())
                .forEach(handle -> handle.holder().ifPresent(pending::add));
        String name = supervisor.name();
        var late = new CloseReport(name, CloseReport.Status.OVERDUE, 0, List.of(), pending, Duration.ZERO);
        if (remember(late)) {
            Probe.reported(supervisor, late);
            Jfr.overdue(late);
            supervisor.options().observer().overdue(late);
        }
        return Objects.requireNonNull(reportOrNull());
    }

    private void closeAll() {
        closer = Thread.currentThread();
        TimeSource clock = supervisor.options().timeSource();
        long started = clock.nanos();
        var failures = new ArrayList<CloseReport.Failure>(0);
        step("before", failures);
        supervisor.seal();
        step("sealed", failures);
        supervisor.cancelAll(Reason.of(Reason.Kind.CLOSE, supervisor.name()));
        step("cancelled", failures);
        supervisor.awaitTasks(Deadline.none());
        step("joined", failures);
        int released = releaseAll(failures);
        supervisor.await(Deadline.none());
        step("released", failures);
        Duration elapsed = Duration.ofNanos(clock.nanos() - started);
        var ended = CloseReport.ended(supervisor.name(), released, failures, elapsed);
        Probe.ended("supervisor", supervisor.name(), supervisor, "CLOSED");
        Probe.reported(supervisor, ended);
        Jfr.closed(ended);
        if (!remember(ended)) {
            tellLate(failures);
        }
        Probe.step("close", supervisor.name(), "closed");
        over = true;
        supervisor.waiters.wake();
    }

    /// The report was overdue and stays as it is.
    private void tellLate(List<CloseReport.Failure> failures) {
        for (CloseReport.Failure late : failures) {
            supervisor.options().observer().failed(supervisor.name() + ", " + late.what(), late.failure());
        }
    }

    private int releaseAll(List<CloseReport.Failure> failures) {
        var handles = supervisor
                .stripes()
                .flatMap(stripe -> stripe.liveHandles().stream())
                .toList();
        for (Owned<?> handle : handles) {
            handle.endAtLast()
                    .ifPresent(failure ->
                            failures.add(new CloseReport.Failure(handle.type().name(), failure)));
        }
        return handles.size();
    }

    /// What a test kit injects into a close is reported by it.
    private void step(String side, List<CloseReport.Failure> failures) {
        Throwable injected = Probe.step("close", supervisor.name(), side);
        if (injected != null) {
            failures.add(new CloseReport.Failure("supervisor " + supervisor.name(), injected));
        }
    }
}
