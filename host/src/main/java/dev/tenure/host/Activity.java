package dev.tenure.host;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Scope;
import dev.tenure.core.Task;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/// One admitted unit of work: a request, a message, a job run.
///
/// At its end it waits for its background work (the gate), then runs its cleanups one after the other
/// in the order of their registration; a cleanup that was registered as using another runs before it.
///
/// **Owner:** who opened it: [Host#activity], or a server that closes it before its unit counts as
/// done. It carries no transport data. **Ends:** by [#close()]. **States:**
/// ```
/// OPEN --close--> GATE --all signalled--> DRAINING --queue empty--> ENDED
///                   '--stop forced--> RETAINED --all signalled--> DRAINING
/// ```
/// **Threads:** any may register and signal; one closes. **Limits:** the gate has no timeout of its
/// own: only a given deadline, or the host's stop after B-F, ends the wait, and then the cleanups wait
/// for the gate in the background. **Fails:** a failed cleanup never stops the next; all failures are
/// in the [CloseReport]. [IllegalStateException] for what comes after the gate or the queue is closed.
/// **Source:** design 4, S4-S8.
public final class Activity implements AutoCloseable {
    private static final Task.Carried<Activity> CURRENT = Task.Carried.create();

    private final Activities owner;
    private final String name;
    private final Gate gate;
    private final CleanupQueue queue;
    private final long startedNanos;

    // Guarded by this.
    private @Nullable CloseReport report;
    private boolean closing;

    Activity(Activities owner, String name) {
        this.owner = owner;
        this.name = Objects.requireNonNull(name, "name");
        this.gate = new Gate(name, owner.settings().time(), owner.bell());
        this.queue = new CleanupQueue("activity '" + name + "'");
        this.startedNanos = owner.settings().time().nanos();
    }

    /// The activity whose body this thread runs, or that of the task which forked this one's.
    ///
    /// @return the innermost one
    /// @throws IllegalStateException outside any
    public static Activity current() {
        return present()
                .orElseThrow(() -> new IllegalStateException(
                        "thread '%s' runs no activity: use host.activity(name, body), or pass the activity on"
                                .formatted(Thread.currentThread().getName())));
    }

    static Optional<Activity> present() {
        return CURRENT.get();
    }

    /// Its name.
    ///
    /// @return as it was opened
    public String name() {
        return name;
    }

    /// Runs code with this as [#current()]. Does not close it.
    ///
    /// @param <R> the result
    /// @param <X> what the code may throw
    /// @param body the code
    /// @return its result
    /// @throws X as the code does
    public <R, X extends Exception> R run(ActivityBody<R, X> body) throws X {
        return CURRENT.where(this, () -> body.run(this));
    }

    /// Registers background work: the end of the activity waits until it is signalled. It is not
    /// cancelled by that.
    ///
    /// @param what for reports
    /// @return the signal; calling it again does nothing. Call it in a `finally`
    /// @throws IllegalStateException once the gate has passed
    public Runnable background(String what) {
        return gate.enter(what);
    }

    /// Registers a cleanup. One that is registered while the cleanups run is run with them.
    ///
    /// @param what for reports
    /// @param cleanup runs once
    /// @param uses earlier entries that it uses, which therefore run after it
    /// @return the entry, for entries that use it
    /// @throws IllegalStateException once the cleanups have all run
    public Entry cleanup(String what, Cleanup cleanup, Entry... uses) {
        return queue.add(what, cleanup, List.of(uses));
    }

    /// Registers a cleanup that ends when its stage does.
    ///
    /// @param what for reports
    /// @param cleanup starts the cleanup
    /// @param uses earlier entries that it uses, which therefore run after it
    /// @return the entry, for entries that use it
    /// @throws IllegalStateException once the cleanups have all run
    public Entry cleanupStage(String what, Callable<? extends CompletionStage<?>> cleanup, Entry... uses) {
        return queue.add(what, new StageCleanup(cleanup), List.of(uses));
    }

    /// Waits for the gate, then runs the cleanups. Failures are told to the host's observer.
    @Override
    public void close() {
        var done = close(Deadline.none());
        done.failures().forEach(failed -> owner.settings().observer().failed(failed.what(), failed.failure()));
    }

    /// Waits for the gate no longer than the budget, then runs the cleanups, however long they take.
    /// Protected from cancellation. If the gate outlasts the wait, the cleanups run in the background
    /// when it passes.
    ///
    /// @param budget the end of the wait for the gate
    /// @return the same report for every caller; `OVERDUE` names who holds the gate
    public CloseReport close(Deadline budget) {
        if (isFirstToClose()) {
            return Scope.shielded(() -> closeNow(budget));
        }
        owner.bell().await(() -> reportOrNull() != null, Deadline.none());
        return known();
    }

    private synchronized boolean isFirstToClose() {
        var first = !closing;
        closing = true;
        return first;
    }

    private CloseReport closeNow(Deadline budget) {
        if (!owner.awaitGate(gate, budget)) {
            var overdue = reported(CloseReport.Status.OVERDUE, List.of(), gate.holders());
            owner.settings().observer().overdue(overdue);
            owner.settings().threads().startVirtual("tenure-activity-" + name, this::finishLate);
            return overdue;
        }
        var failures = drained();
        owner.ended(this);
        return reported(failures.isEmpty() ? CloseReport.Status.CLEAN : CloseReport.Status.FAILED, failures, List.of());
    }

    private void finishLate() {
        gate.awaitEmpty(Deadline.none());
        drained().forEach(failed -> owner.settings().observer().failed(failed.what(), failed.failure()));
        owner.ended(this);
    }

    private List<CloseReport.Failure> drained() {
        var failures = queue.drain();
        failures.addAll(owner.processPass());
        return failures;
    }

    /// A cleanup of the process that runs with those of this activity.
    ///
    /// @return empty if they have run
    Optional<Entry> file(String what, Cleanup cleanup) {
        return queue.offer(what, cleanup);
    }

    private CloseReport reported(CloseReport.Status status, List<CloseReport.Failure> failures, List<Holder> pending) {
        var elapsed = Duration.ofNanos(owner.settings().time().nanos() - startedNanos);
        synchronized (this) {
            report = new CloseReport("activity '" + name + "'", status, queue.ran(), failures, pending, elapsed);
        }
        owner.bell().ring();
        return known();
    }

    private synchronized @Nullable CloseReport reportOrNull() {
        return report;
    }

    private CloseReport known() {
        return Objects.requireNonNull(reportOrNull());
    }

    /// The background work that has not been signalled.
    ///
    /// @return one entry each; the threads are not known, so there are no stacks
    public List<Holder> holders() {
        return gate.holders();
    }

    /// A registered cleanup, to be named by those that use it.
    ///
    /// **Owner:** the activity. **Threads:** any.
    public static final class Entry {
        private final String what;
        private final Cleanup cleanup;
        private final List<Entry> uses;

        Entry(String what, Cleanup cleanup, List<Entry> uses) {
            this.what = what;
            this.cleanup = cleanup;
            this.uses = List.copyOf(uses);
        }

        String what() {
            return what;
        }

        Cleanup cleanup() {
            return cleanup;
        }

        List<Entry> uses() {
            return uses;
        }

        @Override
        public String toString() {
            return what;
        }
    }
}
