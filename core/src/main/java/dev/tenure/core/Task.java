package dev.tenure.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/// Work on a virtual thread of its own, with a scope of its own.
///
/// **Owner:** the [Scope] or [Supervisor] that forked it. **Ends:** when its body has returned and its
/// scope has closed; only
/// then is it done, and a join returns. **States:** running, done. **Threads:** the handle may be used
/// from any. **Fails:** never by itself; its [Outcome] says what happened. **Source:** ownership 4.3,
/// 4.4.
///
/// @param <T> the result
public final class Task<T> extends MaskedStrand {
    /// The body of a task that is given a handle.
    ///
    /// @param <V> the handle's value
    /// @param <R> the result
    @FunctionalInterface
    public interface Body<V, R> {
        /// Runs; the handle is owned by the task's scope.
        ///
        /// @param handle the handle, moved here before the task started
        /// @return the result
        /// @throws Exception makes the task fail
        R run(Owned<V> handle) throws Exception;
    }

    /// A value that is seen by the code it is bound for and by the tasks which that code forks.
    ///
    /// **Owner:** whoever made the key; keep it in a `static final` field. **Ends:** a binding ends with
    /// the code it was made for; forked tasks keep it for their own time.
    /// **Threads:** any; each sees its own binding.
    ///
    /// @param <V> the value's type
    public static final class Carried<V> {
        private Carried() {}

        /// A new key.
        ///
        /// @param <V> the value's type
        /// @return the key, unbound
        public static <V> Carried<V> create() {
            return new Carried<>();
        }

        /// Runs code with the key bound.
        ///
        /// @param <R> the result
        /// @param <X> what the code may throw
        /// @param value what the key stands for meanwhile
        /// @param body the code
        /// @return its result
        /// @throws X as the code does
        public <R, X extends Exception> R where(V value, dev.tenure.core.Body<R, X> body) throws X {
            Strand strand = Strand.ofThread();
            Strand.Binding outer = strand.bind(this, value);
            try {
                return body.run();
            } finally {
                strand.rebind(outer);
            }
        }

        /// What the key stands for on this thread.
        ///
        /// @return empty where it is unbound
        @SuppressWarnings("unchecked") // only where() binds a key, to its own type
        public Optional<V> get() {
            return Optional.ofNullable((V) Strand.ofThread().lookup(this));
        }
    }

    private static final VarHandle WAITERS;
    private static final VarHandle OWNER;

    static {
        try {
            OWNER = MethodHandles.lookup().findVarHandle(Task.class, "owner", OwnerList.class);
            WAITERS = MethodHandles.lookup().findVarHandle(Task.class, "waiters", Waiters.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final Callable<? extends T> body;
    private final boolean kin;
    private final boolean closer;
    private final ContextCarrier.@Nullable Captured context;

    /// Who joins it. Changed by [#detachTo] alone, which keeps the task from being done meanwhile.
    private volatile OwnerList owner;

    private final Supervisor.Options settings;
    private final Scope root;
    private final long startedNanos;

    private volatile long cancelledNanos;
    private volatile @Nullable Outcome<T> outcome;
    private volatile @Nullable Waiters waiters;
    private volatile boolean observed;

    /// Its place among the tasks of a scope, guarded by the scope's extras.
    int slot;

    /// Links in a stripe, guarded by its lock.
    @Nullable
    Task<?> previous;

    @Nullable
    Task<?> next;

    @SuppressWarnings("NullAway.Init") // the owner is set through its handle
    Task(String name, Callable<? extends T> body, Origin origin) {
        this.name = name;
        this.body = body;
        OWNER.set(this, origin.owner()); // plain: its registration publishes it
        this.kin = origin.kin();
        this.closer = origin.closer();
        this.settings = origin.settings();
        this.context = settings.carriers().isEmpty() ? null : new Carriers(settings.carriers()).capture();
        inherit(Strand.ofThread());
        this.startedNanos = settings.timeSource().nanos();
        this.root = Scope.rootOf(this, origin.deadline());
    }

    /// Tells a test kit of it, once it is registered.
    void announce() {
        Probe.opened("task", name, this, owner.face());
        root.announce(this);
    }

    /// Starts the thread. If that is refused, what the task owned ends here and the refusal is thrown.
    void start() {
        try {
            Probe.point("start", name, "before");
            Probe.starting(this);
            try {
                settings.threads().startVirtual(name, this::bound);
            } catch (Throwable refused) {
                Probe.ending(this);
                throw refused;
            }
        } catch (Throwable refused) {
            abandon(refused);
            throw refused;
        }
    }

    private void bound() {
        ScopedValue.where(CURRENT, this).run(this::run);
    }

    /// Ends a task that never ran, on its forker's thread; the forker is told by an exception.
    void abandon(Throwable refused) {
        observed = true;
        ScopedValue.where(CURRENT, this).run(() -> {
            adopt();
            conclude(null, refused);
        });
    }

    private void adopt() {
        thread = Thread.currentThread();
        innermost(root);
    }

    private void run() {
        adopt();
        Probe.began(this);
        ContextCarrier.Installed installed = null;
        try {
            T value = null;
            Throwable failure = null;
            try {
                installed = context == null ? null : context.install();
                Probe.before("task", name);
            } catch (Throwable thrown) {
                failure = thrown;
            }
            try {
                value = failure == null || closer ? call() : null;
            } catch (Throwable thrown) {
                failure = failure == null ? thrown : merged(failure, thrown);
            }
            conclude(value, failure);
        } finally {
            uninstall(installed);
            Probe.ending(this);
        }
    }

    private void uninstall(ContextCarrier.@Nullable Installed installed) {
        if (installed != null) {
            try {
                installed.close();
            } catch (RuntimeException | Error failure) {
                settings.observer().failed("carrier of task " + name, failure);
            }
        }
    }

    private @Nullable T call() throws Exception {
        if (closer) {
            return body.call(); // under the mask it was born with, whoever is cancelled and whatever failed before
        }
        Optional<Reason> first = root.cancelled();
        if (first.isPresent()) {
            throw new Cancelled(first.get());
        }
        unmask();
        try {
            return body.call();
        } finally {
            mask();
        }
    }

    /// Closes the scope, computes the outcome, leaves the owner and wakes who waits; in this order.
    private void conclude(@Nullable T value, @Nullable Throwable failure) {
        T kept = value;
        Throwable primary = failure;
        try {
            Probe.after("task", name);
            kept = hoisted(value);
        } catch (Throwable refused) {
            primary = primary == null ? refused : merged(primary, refused);
        }
        boolean late = root.wasCancelledItself();
        try {
            root.close();
        } catch (Throwable cleanup) {
            primary = merged(primary, cleanup);
        }
        Outcome<T> end = outcomeOf(kept, primary, late);
        finishDelivery();
        Probe.step("task", name, "closed");
        outcome = end;
        Probe.step("task", name, "done");
        Probe.ended("task", name, this, "DONE");
        owner.taskEnded(this, failureToTell(end));
        Waiters waiting = waiters;
        if (waiting != null) {
            waiting.wake();
        }
    }

    /// None for a task that never ran: its forker knows.
    private Optional<Throwable> failureToTell(Outcome<T> end) {
        return end instanceof Outcome.Failed<T> failed && !observed ? Optional.of(failed.primary()) : Optional.empty();
    }

    /// A handle that the body returns goes to the scope that forked the task, before the task's own
    /// scope would end it.
    @SuppressWarnings("unchecked") // a handle's move gives a handle of the same value
    private @Nullable T hoisted(@Nullable T value) {
        boolean mine = value instanceof Owned<?> owned && owned.owner instanceof Scope scope && scope.root() == root;
        if (mine && value instanceof Owned<?> handle && owner instanceof Scope forker) {
            return (T) handle.moveInto(forker, "hoist");
        }
        return value;
    }

    /// A cleanup failure outranks the news of a cancel, and nothing else.
    private Throwable merged(@Nullable Throwable primary, Throwable cleanup) {
        if (primary == null || (isMessenger(primary) && root.cancelled().isPresent())) {
            return cleanup;
        }
        primary.addSuppressed(cleanup);
        return primary;
    }

    @SuppressWarnings("NullAway") // a body may return null where its type allows it
    private Outcome<T> outcomeOf(@Nullable T value, @Nullable Throwable primary, boolean late) {
        if (primary == null) {
            return new Outcome.Success<>(value, late);
        }
        Optional<Reason> reason = root.cancelled();
        if (reason.isPresent() && isMessenger(primary)) {
            return new Outcome.CancelledOut<>(reason.get());
        }
        return new Outcome.Failed<>(primary);
    }

    private static boolean isMessenger(Throwable thrown) {
        return thrown instanceof Cancelled
                || thrown instanceof InterruptedException
                || thrown instanceof ClosedByInterruptException;
    }

    @Override
    Supervisor.Options settings() {
        return settings;
    }

    // ---- for its holders ----

    /// The task that the calling thread runs.
    ///
    /// @return empty on threads that are not ours
    public static Optional<Task<?>> current() {
        return Strand.ofThread() instanceof Task<?> task ? Optional.of(task) : Optional.empty();
    }

    /// Its name.
    ///
    /// @return the static label it was forked with
    @Override
    public String name() {
        return name;
    }

    /// Asks the task to end; does not wait.
    ///
    /// @param reason why; the first reason stays
    public void cancel(Reason reason) {
        if (root.cancel(reason)) {
            cancelledNanos = settings.timeSource().nanos();
        }
    }

    /// Waits until the task is done. Cancelling the waiter ends the wait with [Cancelled], never the
    /// task.
    ///
    /// @return how it ended
    public Outcome<T> join() {
        return join(Deadline.none());
    }

    /// Waits until the task is done or the deadline has passed. Giving up the wait does not cancel the
    /// work.
    ///
    /// @param deadline the end of the wait
    /// @return how it ended, or [Outcome.Pending]
    public Outcome<T> join(Deadline deadline) {
        Probe.before("join", name);
        Waiters mine = waiters();
        Strand strand = Strand.ofThread();
        Scope waiter = strand.innermost();
        if (waiter != null) {
            strand.await(mine, this::isDone, waiter, deadline);
        } else {
            mine.await(this::isDone, deadline, new Waiters.Interruptible(name));
        }
        Probe.after("join", name);
        Outcome<T> end = outcome;
        if (end == null) {
            return new Outcome.Pending<>();
        }
        observed = true;
        owner.taskObserved(this);
        return end;
    }

    /// Waits whatever happens to the waiting thread, whose interrupt flag is kept.
    Outcome<T> joinPatiently() {
        awaitEnd();
        return join();
    }

    /// As [#joinPatiently], but does not look at how it ended.
    void awaitEnd() {
        waiters().await(this::isDone, Deadline.none(), new Waiters.Patient(name));
    }

    /// Hands the running task to a supervisor, which joins it from now on; its scope closes without it,
    /// and a cancel of that scope no longer reaches it. It must not use handles of that scope any more.
    /// If the supervisor refuses, nothing has changed.
    ///
    /// @param supervisor the new owner
    /// @param event why, for the record
    /// @return false if the task had ended
    public boolean detachTo(Supervisor supervisor, String event) {
        if (!(owner instanceof Scope from)) {
            throw new IllegalStateException(
                    "task '%s' is detached for '%s', but a supervisor owns it already".formatted(name, event));
        }
        Probe.before("detach", name);
        if (!supervisor.takeOver(this)) {
            return false;
        }
        from.extras().detached(this);
        Jfr.detached(this, supervisor, event);
        settings.observer().detached(name, supervisor.name(), event);
        Probe.after("detach", name);
        return true;
    }

    /// Changes who joins it, unless it is done.
    boolean ownedBy(OwnerList next) {
        if (!beginDelivery()) {
            return false;
        }
        owner = next;
        Probe.moved(this, this, next.face(), "detach");
        endDelivery();
        return true;
    }

    boolean hasKin() {
        return kin;
    }

    private Waiters waiters() {
        Waiters seen = waiters;
        if (seen != null) {
            return seen;
        }
        Waiters fresh = new Waiters();
        Waiters winner = (Waiters) WAITERS.compareAndExchange(this, null, fresh);
        return winner == null ? fresh : winner;
    }

    /// Waits for the result.
    ///
    /// @return the result
    /// @throws ExecutionException if the task failed; the cause is its failure
    public T get() throws ExecutionException {
        return switch (join()) {
            case Outcome.Success<T> success -> success.value();
            case Outcome.Failed<T> failed -> throw new ExecutionException("task '" + name + "'", failed.primary());
            case Outcome.CancelledOut<T> out -> throw new Cancelled(out.reason());
            case Outcome.Pending<T> _ ->
                throw new IllegalStateException("task '" + name + "': a join without deadline");
        };
    }

    /// Whether it has ended and its scope has closed.
    ///
    /// @return true for ever once true
    public boolean isDone() {
        return outcome != null;
    }

    /// Its thread.
    ///
    /// @return empty until it has started
    public Optional<Thread> thread() {
        return Optional.ofNullable(thread);
    }

    /// When it was forked, by the owner's clock.
    ///
    /// @return a reading of [TimeSource#nanos()]
    public long startedNanos() {
        return startedNanos;
    }

    /// Who it is, where it stands, since when.
    ///
    /// @return a snapshot
    public Holder holder() {
        long now = settings.timeSource().nanos();
        Optional<Duration> cancelledAgo =
                root.wasCancelledItself() ? Optional.of(Duration.ofNanos(now - cancelledNanos)) : Optional.empty();
        Thread running = thread;
        List<StackTraceElement> stack = running == null ? List.of() : List.of(running.getStackTrace());
        return new Holder(name, "task", Duration.ofNanos(now - startedNanos), cancelledAgo, stack);
    }

    OwnerList owner() {
        return owner;
    }

    Scope root() {
        return root;
    }

    /// How it ended, or that it has not.
    Outcome<T> outcome() {
        Outcome<T> end = outcome;
        return end == null ? new Outcome.Pending<>() : end;
    }

    boolean isObserved() {
        return observed;
    }

    Optional<Throwable> failure() {
        return outcome instanceof Outcome.Failed<T> failed ? Optional.of(failed.primary()) : Optional.empty();
    }

    @Override
    public String toString() {
        return "task " + name + (isDone() ? " done" : " running");
    }
}
