package dev.tenure.core;

import com.google.errorprone.annotations.CheckReturnValue;
import com.google.errorprone.annotations.MustBeClosed;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// A confined owner: opened, used and closed by one thread. What it owns ends with it, newest first,
/// after its tasks.
///
/// **Owner:** the thread that opened it, or its task. It nests under that thread's innermost open
/// scope. **Ends:** by [#close()]: unfinished tasks are cancelled and joined, then values are released
/// newest first, masked. **States:** `OPEN -> JOINING -> RELEASING -> CLOSED`; being cancelled is apart
/// from that and only asks. **Threads:** one. Other threads may cancel it through its [#canceller()],
/// move values in, and end single handles. **Limits:** an empty scope is 48 bytes. **Fails:**
/// [WrongThread], [AdmissionClosed], [Cancelled], [CloseFailure]. **Source:** ownership 4.2-4.5.
public final class Scope extends ScopeState implements AutoCloseable {
    /// Where a scope stands.
    public enum Phase {
        /// Takes values and tasks.
        OPEN,
        /// Its tasks were asked to end and are waited for.
        JOINING,
        /// Its values are being released.
        RELEASING,
        /// Everything it owned has ended.
        CLOSED
    }

    /// An opener that registers with the current scope was called outside any scope.
    public static final class NoScope extends OwnershipException {
        private static final long serialVersionUID = 1L;

        NoScope(String message) {
            super(message);
        }
    }

    /// A confined scope was used by a thread other than the one that opened it. What was passed in has
    /// been released.
    public static final class WrongThread extends OwnershipException {
        private static final long serialVersionUID = 1L;

        WrongThread(String message) {
            super(message);
        }
    }

    /// How a race ended: everybody has been joined.
    ///
    /// @param <T> the result
    /// @param winner the first success
    /// @param late what the others produced although they were cancelled; handles among them are owned
    /// by the scope
    public record Race<T>(T winner, List<T> late) {}

    private Scope(String name, @Nullable Scope parent, Deadline deadline, Strand strand) {
        super(name, parent, deadline, strand);
    }

    /// Tells a test kit that it is open.
    ///
    /// @param owner the scope around it, or its task
    void announce(@Nullable Object owner) {
        Probe.opened("scope", name, this, owner);
    }

    @Override
    Scope self() {
        return this;
    }

    /// The root scope of a task, made before its thread starts.
    static Scope rootOf(Task<?> task, Deadline deadline) {
        return new Scope(task.name(), null, deadline, task);
    }

    /// Opens a scope under this thread's innermost open one, or a root if there is none.
    ///
    /// @param name a static label for reports
    /// @return the scope, to be closed by this thread
    @MustBeClosed
    public static Scope open(String name) {
        Probe.before("open", name);
        Strand strand = Strand.ofThread();
        Scope enclosing = strand.innermost();
        return opened(new Scope(name, enclosing, enclosing == null ? Deadline.none() : enclosing.deadline, strand));
    }

    /// Opens a scope that is cancelled when the deadline, or an enclosing one, has passed.
    ///
    /// @param name a static label for reports
    /// @param deadline its own deadline; an enclosing scope's earlier one stays in force
    /// @return the scope, to be closed by this thread
    @MustBeClosed
    public static Scope open(String name, Deadline deadline) {
        Probe.before("open", name);
        Strand strand = Strand.ofThread();
        Scope enclosing = strand.innermost();
        Deadline earlier = enclosing == null ? deadline : enclosing.deadline.min(deadline);
        Scope scope = opened(new Scope(name, enclosing, earlier, strand));
        if (earlier == deadline && !deadline.isNone()) {
            scope.arm(deadline);
        }
        return scope;
    }

    /// Opens a scope with options of its own, which the scopes and tasks inside it inherit.
    ///
    /// @param name a static label for reports
    /// @param options threads, clock, observer, cancel mode, carriers and tracing
    /// @return the scope, to be closed by this thread
    @MustBeClosed
    public static Scope open(String name, Supervisor.Options options) {
        Probe.before("open", name);
        Strand strand = Strand.ofThread();
        Scope enclosing = strand.innermost();
        Scope scope = new Scope(name, enclosing, enclosing == null ? Deadline.none() : enclosing.deadline, strand);
        scope.options = options;
        return opened(scope);
    }

    private static Scope opened(Scope scope) {
        LeakSampler sampler = scope.options.tracing().sampler();
        if (sampler != null) {
            scope.sampledBy(sampler);
        }
        scope.strand.innermost(scope);
        scope.announce(scope.parent);
        return scope;
    }

    /// The innermost open scope of this thread.
    ///
    /// @return the scope
    public static Scope current() {
        Scope scope = Strand.ofThread().innermost();
        if (scope == null) {
            throw new NoScope("thread '%s' has no open scope: open one, or use the form that takes a scope"
                    .formatted(Thread.currentThread().getName()));
        }
        return scope;
    }

    /// The innermost open scope of this thread, if it has one.
    ///
    /// @return empty outside any scope
    public static Optional<Scope> innermost() {
        return Optional.ofNullable(Strand.ofThread().innermost());
    }

    /// Produces a value and registers it. A cancel that came before is seen before anything is
    /// produced; one that comes later is seen at the next checkpoint. Once `how` has returned, nothing
    /// is thrown.
    ///
    /// @param <T> the value's type
    /// @param <X> what producing it may throw
    /// @param type the kind of resource
    /// @param how produces the value; may be interrupted
    /// @return its handle
    /// @throws X as `how` does; there is no value then
    public <T, X extends Exception> Owned<T> acquire(ResourceType<T> type, ResourceType.Acquire<? extends T, X> how)
            throws X {
        checkUsable("acquire", type.name());
        checkpoint();
        Owned<T> node = node(type, null, Owned.State.RESERVED);
        Probe.before("acquire", type.name());
        T value = how.acquire();
        if (phase != Phase.OPEN) {
            AdmissionClosed refused = closed("acquire " + type.name());
            releaseRefused(type, value, refused);
            throw refused;
        }
        node.hold(value);
        push(node);
        registered(node);
        Probe.after("acquire", type.name());
        return node;
    }

    /// Registers a value that exists already; if that is refused, the value is released before the
    /// refusal is thrown.
    ///
    /// @param <T> the value's type
    /// @param type the kind of resource
    /// @param value the value
    /// @return its handle
    public <T> Owned<T> own(ResourceType<T> type, T value) {
        Owned<T> node;
        try {
            Probe.before("own", type.name());
            checkUsable("own", type.name());
            node = node(type, value, Owned.State.HELD);
        } catch (Throwable refused) {
            releaseRefused(type, value, refused);
            throw refused;
        }
        push(node);
        registered(node);
        Probe.after("own", type.name());
        return node;
    }

    /// Registers a closeable, to be closed with this scope.
    ///
    /// @param <T> the value's type
    /// @param value the value
    /// @return the value itself
    public <T extends AutoCloseable> T own(T value) {
        own(Closeables.TYPE, value);
        return value;
    }

    /// Starts a task on a virtual thread with its own scope. It is joined here at the latest. If it
    /// fails, its siblings are cancelled; a failure that nobody saw through the task's handle is
    /// reported by [#close()].
    ///
    /// @param <T> the result
    /// @param name a static label for reports
    /// @param body runs in the task; may use handles of this scope
    /// @return the task
    public <T> Task<T> fork(String name, Callable<? extends T> body) {
        return fork(name, body, new Origin(this, deadline, options, true));
    }

    /// A task whose failure is its forker's business alone and cancels no siblings.
    <T> Task<T> forkAlone(String name, Deadline until, Callable<? extends T> body) {
        return fork(name, body, new Origin(this, deadline.min(until), options, false));
    }

    /// A task that goes on with a close: no cancel keeps its body from running.
    void forkCloser(String name, Callable<String> body) {
        fork(name, body, new Origin(this, Deadline.none(), options, false, true));
    }

    private <T> Task<T> fork(String name, Callable<? extends T> body, Origin origin) {
        checkUsable("fork", name);
        Probe.before("fork", name);
        Task<T> task = new Task<>(name, body, origin);
        extras().add(task);
        task.announce();
        return start(task);
    }

    /// Starts a task that owns a handle from before its thread starts.
    ///
    /// @param <T> the handle's value
    /// @param <R> the result
    /// @param name a static label for reports
    /// @param handle moved into the task's scope; on an exception nothing changed
    /// @param body runs in the task
    /// @return the task
    public <T, R> Task<R> fork(String name, Owned<T> handle, Task.Body<T, R> body) {
        checkUsable("fork", name);
        Probe.before("fork", name);
        var moved = new Handed<T>();
        Task<R> task = new Task<>(name, () -> body.run(moved.handle()), new Origin(this, deadline, options, true));
        extras().add(task);
        task.announce();
        try {
            moved.set(handle.moveInto(task.root(), "fork"));
        } catch (Throwable refused) {
            task.abandon(refused);
            throw refused;
        }
        return start(task);
    }

    /// Starts a task that is registered: it sees a cancel that came before, or the canceller sees the
    /// task.
    private <T> Task<T> start(Task<T> task) {
        Reason first = firstReason();
        if (first != null) {
            task.cancel(new Reason(Reason.Kind.PARENT, name, first.failure()));
        }
        task.start();
        Probe.after("fork", task.name());
        return task;
    }

    /// Runs a body in a task of its own, so that it can be interrupted, for no longer than the limit.
    /// When the limit has passed the body is cancelled and joined; a value that it produced
    /// nevertheless is returned.
    ///
    /// @param <T> the result
    /// @param name a static label for reports
    /// @param limit when the body is cancelled
    /// @param body runs in the task
    /// @return its result; a handle among it is owned by this scope
    /// @throws ExecutionException if the body failed; the cause is its failure
    @CheckReturnValue
    public <T> T call(String name, Deadline limit, Callable<? extends T> body) throws ExecutionException {
        return Races.call(this, name, limit, body);
    }

    /// Runs bodies side by side until the first success, then cancels the others and joins them all.
    /// Nothing that was produced is lost: what came late is in the result.
    ///
    /// @param <T> the result
    /// @param name a static label for reports
    /// @param bodies run in tasks of their own; a failure cancels nobody
    /// @return the first success, and what the others produced nevertheless
    /// @throws ExecutionException if all failed; the cause is the first one's failure, the others' are
    /// suppressed
    @CheckReturnValue
    public <T> Race<T> race(String name, List<? extends Callable<? extends T>> bodies) throws ExecutionException {
        return Races.race(this, name, bodies);
    }

    /// Waits until the tasks forked here so far have ended. Their failures are told by their handles,
    /// or by the close.
    public void awaitTasks() {
        checkOwner("awaitTasks", name);
        Extras cold = extras;
        if (cold != null) {
            strand.await(cold.waiters, () -> !cold.hasTasks(), this, Deadline.none());
        }
    }

    /// Produces a value that is discarded by its release unless it is published first.
    ///
    /// @param <T> the value's type
    /// @param <X> what producing it may throw
    /// @param discard the kind of resource; its release discards
    /// @param how produces the value
    /// @return the staged value
    /// @throws X as `how` does
    public <T, X extends Exception> Staged<T> stage(ResourceType<T> discard, ResourceType.Acquire<? extends T, X> how)
            throws X {
        Owned<Staged<T>> handle = acquire(Staged.typeOf(discard), () -> new Staged<>(discard, how.acquire()));
        return handle.get().heldBy(handle);
    }

    /// The authority to cancel this scope, without the authority to close it.
    ///
    /// @return usable from any thread
    public Canceller canceller() {
        return this::cancel;
    }

    /// Throws if this scope, or one around it, was cancelled. Does nothing inside a mask.
    public void checkpoint() {
        Reason first = firstReason();
        if (first != null && !strand.isMasked()) {
            throw new Cancelled(first);
        }
    }

    /// Why this scope, or one around it, was cancelled.
    ///
    /// @return empty while it was not
    public Optional<Reason> cancelled() {
        return Optional.ofNullable(firstReason());
    }

    /// A read-only view of whether this scope was cancelled.
    ///
    /// @return usable from any thread
    public ExecutionCancellation cancellation() {
        return new ScopeCancellation(this);
    }

    /// The deadline in force here.
    ///
    /// @return its own or an enclosing one, whichever is earlier
    public Deadline deadline() {
        return deadline;
    }

    /// Takes this scope's deadline off, for work that outlives the step it was meant for, such as an
    /// answer that has begun to stream. An enclosing scope's is in force again; what was opened or
    /// forked before keeps its own.
    public void liftDeadline() {
        checkOwner("liftDeadline", name);
        deadline = parent == null ? Deadline.none() : parent.deadline;
        disarm();
    }

    /// Runs code that no interrupt of ours reaches. A cancel waits until the mask ends; leaving it is
    /// not a checkpoint.
    ///
    /// @param <R> the result
    /// @param <X> what the code may throw
    /// @param body the code; should be short or bounded
    /// @return its result
    /// @throws X as the code does
    public <R, X extends Exception> R masked(Body<R, X> body) throws X {
        checkOwner("masked", name);
        return shielded(body);
    }

    /// Runs code that no interrupt of ours reaches, on whichever thread; outside our tasks it just runs.
    ///
    /// @param <R> the result
    /// @param <X> what the code may throw
    /// @param body the code; should be short or bounded
    /// @return its result
    /// @throws X as the code does
    public static <R, X extends Exception> R shielded(Body<R, X> body) throws X {
        Strand strand = Strand.ofThread();
        strand.mask();
        try {
            return body.run();
        } finally {
            strand.unmask();
        }
    }

    /// Whether the calling thread runs inside a mask, as releases do.
    ///
    /// @return false on threads that are not ours
    public static boolean isShielded() {
        return Strand.ofThread().isMasked();
    }

    /// Closes and waits for the truth: cancels and joins what tasks are left, then releases newest first.
    /// Does nothing if it is closed. Throws [CloseFailure] if something failed in ending.
    @Override
    public void close() {
        if (phase == Phase.CLOSED) {
            return;
        }
        if (phase != Phase.OPEN) {
            ScopeClosing.awaitEnd(this);
            return;
        }
        Throwable injected = Probe.step("close", name, "before");
        if (injected == null && closedEmpty()) {
            return;
        }
        var closing = ScopeClosing.begin(this);
        closing.note(injected);
        closing.join(Deadline.none());
        closing.release(Deadline.none());
        closing.throwFailures();
    }

    /// Closes, and waits for its tasks no longer than the budget. If they overrun it, the rest of the
    /// close goes on in the
    /// background, owned by the enclosing scope if there is one, and the report names what is pending.
    ///
    /// @param budget bounds the wait, never the ownership
    /// @return the same report for every caller
    public CloseReport close(Deadline budget) {
        CloseReport known = extras().report;
        if (known != null) {
            return known;
        }
        if (phase == Phase.CLOSED) {
            return CloseReport.ended(name, 0, List.of(), Duration.ZERO);
        }
        if (phase != Phase.OPEN && strand == Strand.ofThread()) {
            ScopeClosing.awaitEnd(this);
        }
        Throwable injected = Probe.step("close", name, "before");
        var closing = ScopeClosing.begin(this);
        closing.note(injected);
        closing.within(budget);
        return Objects.requireNonNull(extras().report);
    }

    /// The name it was opened with.
    ///
    /// @return for reports
    public String name() {
        return name;
    }

    /// Where it stands.
    ///
    /// @return a snapshot
    public Phase phase() {
        return phase;
    }

    /// What it owns, as indented text: scopes, tasks, values, newest first.
    ///
    /// @return a snapshot that may be out of date
    public String dump() {
        return Dump.of(this).text();
    }

    /// The same as [#dump()], for programs: objects with `kind`, `name`, `state` and the owned ones in
    /// `owns`.
    ///
    /// @return one JSON object
    public String dumpJson() {
        return Dump.of(this).json();
    }

    @Override
    public String toString() {
        return "scope " + name + " " + phase;
    }
}
