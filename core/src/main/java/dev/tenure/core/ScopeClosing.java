package dev.tenure.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// One close of one scope: joins its tasks, then releases its values newest first, masked throughout.
final class ScopeClosing {
    /// Whose a scope is between the thread that handed its close over and the one that goes on.
    private static final Strand HANDED_OVER = new Strand(null);

    private final Scope scope;
    private final long startedNanos;
    private final List<CloseReport.Failure> failures = new ArrayList<>(0);
    private int released;

    /// The node whose release this close began.
    private @Nullable Owned<?> ours;

    /// The node that is being released; read by the alarm.
    private volatile @Nullable Owned<?> releasing;

    private ScopeClosing(Scope scope) {
        this.scope = scope;
        this.startedNanos =
                scope.extrasOrNull() == null ? 0 : TimeSource.system().nanos();
    }

    /// Seals the scope, closing what is still open inside it, and cancels its tasks.
    static ScopeClosing begin(Scope scope) {
        if (scope.strand() != Strand.ofThread()) {
            throw new Scope.WrongThread(
                    "close of scope '%s' by thread '%s': only the thread that opened it may; cancel it instead"
                            .formatted(scope.name(), Thread.currentThread().getName()));
        }
        var closing = new ScopeClosing(scope);
        closing.closeNested();
        scope.phase(Scope.Phase.JOINING);
        closing.step("joining");
        scope.strand().mask();
        scope.strand().awaitDelivery();
        Extras cold = scope.extrasOrNull();
        if (cold != null) {
            closing.cancelTasks(cold);
        }
        return closing;
    }

    /// Waits for somebody else's close; refuses to wait for itself.
    static void awaitEnd(Scope scope) {
        if (scope.strand() == Strand.ofThread()) {
            throw new IllegalStateException(
                    "scope '%s' is closed from inside its own close, by a release or a nested step: return instead"
                            .formatted(scope.name()));
        }
        var patient = new Waiters.Patient("close of " + scope.name());
        scope.extras().waiters.await(() -> scope.phase() == Scope.Phase.CLOSED, Deadline.none(), patient);
    }

    /// What a test kit injects into a close is reported by it.
    void note(@Nullable Throwable injected) {
        if (injected != null) {
            failures.add(new CloseReport.Failure("scope " + scope.name(), injected));
        }
    }

    private void step(String side) {
        note(Probe.step("close", scope.name(), side));
    }

    private void closeNested() {
        for (Scope inner = scope.strand().innermost();
                inner != scope && inner != null;
                inner = scope.strand().innermost()) {
            failures.add(new CloseReport.Failure(
                    "scope " + inner.name(),
                    new IllegalStateException("scope '%s' was still open when '%s', around it, was closed"
                            .formatted(inner.name(), scope.name()))));
            closeQuietly(inner);
        }
    }

    private void closeQuietly(Scope inner) {
        try {
            inner.close();
        } catch (CloseFailure failure) {
            failures.add(new CloseReport.Failure("scope " + inner.name(), failure));
        }
    }

    private void cancelTasks(Extras cold) {
        if (cold.alarm != null) {
            cold.alarm.cancel();
        }
        var reason = Reason.of(Reason.Kind.CLOSE, scope.name());
        for (Task<?> task : cold.tasks()) {
            task.cancel(reason);
        }
    }

    /// Waits for the tasks.
    ///
    /// @return whether all have ended
    boolean join(Deadline budget) {
        Extras cold = scope.extrasOrNull();
        return cold == null
                || cold.waiters.await(
                        () -> !cold.hasTasks(), budget, new Waiters.Patient("tasks of scope " + scope.name()));
    }

    /// Joins and releases, for no longer than the budget; then somebody else goes on.
    void within(Deadline budget) {
        Timers.Alarm alarm = budget.isNone() || budget.passed()
                ? () -> false
                : Timers.of(budget.source()).at(budget, this::overran);
        boolean done = join(budget) && release(budget);
        alarm.cancel();
        if (!done) {
            handOver();
        }
    }

    /// Releases everything and leaves the thread's chain of scopes.
    ///
    /// @return false if a release on another thread had not ended when the budget had passed
    boolean release(Deadline budget) {
        if (scope.phase() != Scope.Phase.RELEASING) {
            scope.phase(Scope.Phase.RELEASING);
            step("releasing");
            noteUnobserved();
            for (Owned<?> late : scope.shutInbox()) {
                scope.push(late);
            }
            step("shut");
        }
        for (Owned<?> node = scope.head; node != null; node = scope.head) {
            if (!releaseOne(node, budget)) {
                return false;
            }
            scope.remove(node);
        }
        step("released");
        leave();
        return true;
    }

    private void noteUnobserved() {
        Extras cold = scope.extrasOrNull();
        if (cold == null) {
            return;
        }
        for (Task<?> task : cold.unobserved()) {
            task.failure().ifPresent(failure -> failures.add(new CloseReport.Failure("task " + task.name(), failure)));
        }
    }

    /// Releases one value.
    ///
    /// @return false if it was still being released elsewhere when the budget had passed
    private boolean releaseOne(Owned<?> node, Deadline budget) {
        releasing = node;
        while (node.awaitSettled(budget)) {
            if (node.isTerminal()) {
                noteRelease(node);
                return true;
            }
            if (node.startEnding()) {
                ours = node;
            }
        }
        return false;
    }

    private void noteRelease(Owned<?> node) {
        releasing = null;
        if (ours == node) {
            released++;
            node.failure()
                    .ifPresent(failure ->
                            failures.add(new CloseReport.Failure(node.type().name(), failure)));
        }
    }

    private void leave() {
        Strand strand = scope.strand();
        Scope parent = scope.parent();
        if (strand.innermost() == scope) {
            strand.innermost(parent);
        }
        finish();
        strand.unmask();
    }

    private void finish() {
        scope.phase(Scope.Phase.CLOSED);
        if (scope.wasCancelledItself()) {
            swallowRing(scope);
        }
        Probe.ended("scope", scope.name(), scope, "CLOSED");
        report();
        Probe.step("close", scope.name(), "closed");
    }

    private void report() {
        Extras cold = scope.extrasOrNull();
        Extras kept = cold == Extras.SHUT ? null : cold;
        if (kept != null && kept.sample != null) {
            kept.sample.closed();
        }
        if (kept == null && !failures.isEmpty()) {
            kept = scope.extrasForReport();
        }
        Extras.SHUT.waiters.wake();
        if (kept == null && !Probe.ON && !Jfr.wantsCloses()) {
            return;
        }
        var ended = CloseReport.ended(scope.name(), released, failures, elapsed());
        Probe.reported(scope, ended);
        Jfr.closed(ended);
        if (kept != null) {
            remember(kept, ended);
            kept.waiters.wake();
        }
    }

    /// The first report is the only one.
    ///
    /// @return whether it is this one
    private static boolean remember(Extras cold, CloseReport report) {
        synchronized (cold) {
            if (cold.report != null) {
                return false;
            }
            cold.report = report;
            return true;
        }
    }

    /// The ring for a cancelled scope ends with it, unless a scope around it is cancelled too.
    static void swallowRing(Scope scope) {
        Strand strand = scope.strand();
        Scope parent = scope.parent();
        strand.mask();
        strand.awaitDelivery();
        boolean pending =
                strand.forgetPending(); // before the look: whoever cancels the parent does it the other way round
        Probe.step("close", scope.name(), "forgot");
        if (pending && parent != null && parent.cancelled().isPresent()) {
            strand.remember();
        }
        strand.unmask();
    }

    private Duration elapsed() {
        return Duration.ofNanos(TimeSource.system().nanos() - startedNanos);
    }

    void throwFailures() {
        if (!failures.isEmpty()) {
            throw new CloseFailure("scope '" + scope.name() + "'", failures);
        }
    }

    /// The budget has passed; told here, on the timer's thread, since this scope's own may be held by a
    /// release.
    private void overran() {
        Extras cold = scope.extras();
        var pending = new ArrayList<Holder>();
        cold.tasks().forEach(task -> pending.add(task.holder()));
        Owned<?> node = releasing;
        if (node != null) {
            node.holder().ifPresent(pending::add);
        }
        if (scope.phase() == Scope.Phase.CLOSED) {
            return;
        }
        var late = new CloseReport(scope.name(), CloseReport.Status.OVERDUE, 0, List.of(), pending, elapsed());
        if (remember(cold, late)) {
            Probe.reported(scope, late);
            Jfr.overdue(late);
            scope.options().observer().overdue(late);
        }
    }

    /// Hands the rest of the close to another thread, which the enclosing scope joins if there is one.
    void handOver() {
        overran();
        Strand strand = scope.strand();
        Scope parent = scope.parent();
        if (parent != null && parent.phase() != Scope.Phase.OPEN) {
            goOnHere(); // a close inside the close of the parent, which must not end before
            return;
        }
        strand.innermost(parent);
        strand.unmask();
        scope.adoptedBy(HANDED_OVER);
        var taken = new AtomicBoolean();
        try {
            startCloser(parent, taken);
        } catch (RuntimeException | Error refused) {
            goOnUnless(taken, refused);
        }
    }

    private void startCloser(@Nullable Scope parent, AtomicBoolean taken) {
        String name = "tenure-close of " + scope.name();
        if (parent != null) {
            parent.forkCloser(name, () -> {
                goOn(taken);
                return "closed";
            });
        } else {
            Strand.startPlatform(scope.options().threads(), name, scope, () -> goOn(taken));
        }
    }

    /// Nobody else may have begun: then this thread goes on, over the budget rather than not at all.
    private void goOnUnless(AtomicBoolean taken, Throwable refused) {
        if (taken.compareAndSet(false, true)) {
            note(refused);
            goOnAs(Strand.ofThread());
        } else {
            scope.options().observer().failed("scope " + scope.name(), refused);
        }
    }

    /// By whoever is first, once.
    private void goOn(AtomicBoolean taken) {
        if (taken.compareAndSet(false, true)) {
            goOnAs(Strand.ofThread());
        }
    }

    private void goOnAs(Strand closer) {
        scope.adoptedBy(closer);
        closer.mask();
        goOnHere();
    }

    private void goOnHere() {
        join(Deadline.none());
        release(Deadline.none());
        for (CloseReport.Failure late : failures) { // the report was overdue and stays as it is
            scope.options().observer().failed(scope.name() + ", " + late.what(), late.failure());
        }
    }
}
