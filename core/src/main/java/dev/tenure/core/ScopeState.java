package dev.tenure.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The state of a scope and the steps that others of the package take on it; [Scope] is its face.
abstract sealed class ScopeState extends OwnerList permits Scope {
    private static final VarHandle REASON;
    private static final VarHandle EXTRAS;
    private static final VarHandle PHASE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            REASON = lookup.findVarHandle(ScopeState.class, "reason", Reason.class);
            PHASE = lookup.findVarHandle(ScopeState.class, "phase", Scope.Phase.class);
            EXTRAS = lookup.findVarHandle(ScopeState.class, "extras", Extras.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final String name;
    final @Nullable Scope parent;
    /// Changed by its own thread alone, which may lift it.
    volatile Deadline deadline;

    /// Replaced once by whoever opens it with options of its own, before anybody else knows it.
    Supervisor.Options options;

    /// The thread it is confined to. Replaced once, when an overdue close is handed to another thread.
    Strand strand;

    volatile Scope.Phase phase;

    @SuppressWarnings("unused") // written through REASON
    volatile @Nullable Reason reason;

    volatile @Nullable Extras extras;

    @SuppressWarnings("NullAway.Init") // the phase is set through its handle
    ScopeState(String name, @Nullable Scope parent, Deadline deadline, Strand strand) {
        this.name = Objects.requireNonNull(name, "name");
        this.parent = parent;
        this.deadline = deadline;
        this.strand = strand;
        PHASE.set(this, Scope.Phase.OPEN); // plain: the write of the thread's innermost scope publishes it
        this.options = parent == null ? strand.settings() : parent.options;
    }

    abstract Scope self();

    @Override
    final Strand strandHere() {
        return isOwner() ? strand : Strand.ofThread();
    }

    @Override
    final Supervisor.Options options() {
        return options;
    }

    @Override
    Object face() {
        return this;
    }

    static <T> void releaseRefused(ResourceType<T> type, T value, Throwable refused) {
        try {
            type.end(value);
        } catch (Throwable failure) {
            refused.addSuppressed(failure);
        }
    }

    /// Watches for this scope being dropped unclosed, if its turn has come.
    final void sampledBy(LeakSampler sampler) {
        LeakSampler.Sample sample = sampler.sampled(self());
        if (sample != null) {
            extras().sample = sample;
        }
    }

    /// Cancels the scope when the deadline passes.
    void arm(Deadline at) {
        var ring = Reason.of(Reason.Kind.DEADLINE, "deadline of " + name);
        Probe.step("deadline", name, "before");
        extras().alarm = Timers.of(at.source()).at(at, () -> cancel(ring));
        Probe.step("deadline", name, "armed");
    }

    final void disarm() {
        Extras cold = extras;
        if (cold != null && cold.alarm != null) {
            cold.alarm.cancel();
        }
    }

    final void registered(Owned<?> node) {
        Probe.opened("owned", node.type().name(), node, this);
        Jfr.acquired(node);
        if (node.type().hasHook()) {
            registerHook(node);
        }
        Extras cold = extras;
        if (cold != null) {
            linked(cold, node);
            tidy(cold);
        }
    }

    private static void linked(Extras cold, Owned<?> node) {
        LeakSampler.Sample sample = cold.sample;
        if (sample != null) {
            sample.linked(node.type());
        }
    }

    private static void unlinked(@Nullable Extras cold, Owned<?> node) {
        LeakSampler.Sample sample = cold == null ? null : cold.sample;
        if (sample != null) {
            sample.unlinked(node.type());
        }
    }

    /// Takes in what foreign threads moved here and drops what they ended.
    private void tidy(Extras cold) {
        if (cold.hasMail()) {
            cold.drain(false).forEach(this::push);
        }
        if (cold.tombstones.get() < cold.purgeAt) {
            return;
        }
        cold.tombstones.set(0);
        int live = 0;
        for (Owned<?> node = head; node != null; ) {
            Owned<?> after = node.next;
            if (node.isTerminal()) {
                remove(node);
            } else {
                live++;
            }
            node = after;
        }
        cold.purgeAt = Math.max(16, live);
    }

    final @Nullable Reason firstReason() {
        for (ScopeState at = this; at != null; at = at.parent) {
            Reason seen = at.reason;
            if (seen != null) {
                return seen;
            }
        }
        return null;
    }

    /// The short way for a scope that owned nothing for long and needed no extras.
    final boolean closedEmpty() {
        boolean plain = head == null && extras == null && isOwner() && strand.innermost() == this && !Jfr.wantsCloses();
        if (!plain || !EXTRAS.compareAndSet(this, null, Extras.SHUT)) {
            return false;
        }
        phase = Scope.Phase.CLOSED;
        if (reason != null) {
            ScopeClosing.swallowRing(self());
        }
        strand.innermost(parent);
        if (Probe.ON) {
            Probe.ended("scope", name, this, "CLOSED");
            Probe.reported(this, CloseReport.ended(name, 0, List.of(), Duration.ZERO));
        }
        return true;
    }

    /// Cancels; runs down to nested scopes and tasks.
    boolean cancel(Reason why) {
        if (phase == Scope.Phase.CLOSED) {
            return false;
        }
        told(Probe.step("cancel", name, "before"));
        if (!REASON.compareAndSet(this, null, why)) {
            return false;
        }
        told(Probe.step("cancel", name, "set"));
        Jfr.cancelled(name, why);
        ScopeCancelling.propagate(self(), why);
        told(Probe.step("cancel", name, "after"));
        return true;
    }

    /// A cancel fails for nobody: what a test kit injects there is told to the observer.
    private void told(@Nullable Throwable injected) {
        if (injected != null) {
            options.observer().failed("cancel of scope " + name, injected);
        }
    }

    Scope root() {
        Scope at = self();
        while (at.parent != null) {
            at = at.parent;
        }
        return at;
    }

    @Nullable
    Scope parent() {
        return parent;
    }

    Strand strand() {
        return strand;
    }

    boolean wasCancelledItself() {
        return reason != null;
    }

    void adoptedBy(Strand closer) {
        strand = closer;
    }

    void phase(Scope.Phase next) {
        phase = next;
    }

    @Nullable
    Extras extrasOrNull() {
        return extras;
    }

    Extras extras() {
        Extras seen = extras;
        if (seen != null) {
            return seen;
        }
        Extras fresh = new Extras();
        Extras winner = (Extras) EXTRAS.compareAndExchange(this, null, fresh);
        return winner == null ? fresh : winner;
    }

    /// A place to keep what a close has to report, for a scope that needed no extras so far.
    final Extras extrasForReport() {
        Extras seen = extras();
        if (seen == Extras.SHUT) {
            seen = Extras.shut();
            extras = seen;
        }
        return seen;
    }

    /// Refuses foreign movers from now on.
    ///
    /// @return what they had moved in, oldest first
    List<Owned<?>> shutInbox() {
        Extras before = (Extras) EXTRAS.compareAndExchange(this, null, Extras.SHUT);
        return before == null || before == Extras.SHUT ? List.of() : before.drain(true);
    }

    /// Whether the end of this scope waits for the strand: it is its own, or that of a task forked
    /// inside it.
    final boolean isAwaiting(Strand strand) {
        Strand at = strand;
        while (at != this.strand) {
            if (!(at instanceof Task<?> task) || !(task.owner() instanceof Scope forker)) {
                return false;
            }
            at = forker.strand();
        }
        return true;
    }

    final boolean isOwner() {
        return strand.thread == Thread.currentThread();
    }

    final void checkOwner(String verb, String what) {
        if (!isOwner()) {
            Thread owner = strand.thread;
            throw new Scope.WrongThread(
                    "%s %s on scope '%s' by thread '%s': only its own thread '%s' may; fork a task, or move the value"
                            .formatted(
                                    verb,
                                    what,
                                    name,
                                    Thread.currentThread().getName(),
                                    owner == null ? "of a task that has not started" : owner.getName()));
        }
    }

    final void checkUsable(String verb, String what) {
        if (phase != Scope.Phase.OPEN || !isOwner()) {
            checkOwner(verb, what);
            throw closed(verb + " " + what);
        }
    }

    final AdmissionClosed closed(String attempt) {
        return new AdmissionClosed("%s: scope '%s' is %s and takes nothing more".formatted(attempt, name, phase));
    }

    @Override
    void taskEnded(Task<?> task, Optional<Throwable> failure) {
        extras().ended(task, failure.isPresent());
        if (failure.isPresent() && task.hasKin() && phase == Scope.Phase.OPEN) {
            var sibling = new Reason(Reason.Kind.SIBLING_FAILED, "task " + task.name(), failure.get());
            extras().toldOfFailure().forEach(other -> other.cancel(sibling));
        }
    }

    @Override
    void taskObserved(Task<?> task) {
        Extras cold = extras;
        if (cold != null && task.failure().isPresent()) {
            cold.observed(task);
        }
    }

    @Override
    void link(Owned<?> node) {
        if (isOwner()) {
            checkUsable("move", node.type().name());
            push(node);
        } else if (!extras().offer(node)) {
            throw closed("move of " + node.type().name());
        }
        Extras cold = extras;
        if (cold != null) {
            linked(cold, node);
        }
    }

    @Override
    void unlink(Owned<?> node) {
        unlinked(extras, node);
        if (isOwner()) {
            Extras cold = extras;
            if (cold != null && cold != Extras.SHUT) {
                tidy(cold);
            }
            remove(node);
        } else if (extras() != Extras.SHUT) {
            extras().tombstones.incrementAndGet();
        }
    }

    @Override
    void settled() {
        Thread owner = strand.thread;
        if (owner != Thread.currentThread()) {
            LockSupport.unpark(owner);
        }
    }

    @Override
    void released(Thread by) {
        Thread owner = strand.thread;
        if (owner != by) {
            VarHandle.fullFence();
            LockSupport.unpark(owner);
        }
    }

    @Override
    void registerHook(Owned<?> node) {
        extras().addHook(node);
        VarHandle.fullFence();
        if (firstReason() != null) {
            ScopeCancelling.runIsolated(self(), node);
        }
    }
}
