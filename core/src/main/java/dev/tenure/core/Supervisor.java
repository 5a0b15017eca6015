package dev.tenure.core;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Never restarts anything. A shared, unordered owner of tasks and values that outlive who made them.
///
/// **Owner:** whoever opened it. **Ends:** by [#close()]: it refuses what is new, cancels its tasks,
/// joins them, then releases its values. **States:** `OPEN -> sealed -> CLOSED`. **Threads:** any.
/// **Limits:** none of its own; callers bound what they put in. **Fails:** [AdmissionClosed] once
/// sealed: the caller still owns what it offered. **Source:** ownership 4.2, 4.6.
public final class Supervisor implements AutoCloseable {
    /// What a supervisor, or a scope, and its tasks run with.
    ///
    /// @param threads starts the tasks' threads
    /// @param timeSource ages and deadlines
    /// @param observer told of failures that no caller sees; what it throws is isolated and counted
    /// @param cancelMode how a cancel reaches the tasks' threads
    /// @param nag how long after a cancel a task that runs unmasked is interrupted, again and again;
    /// zero for never
    /// @param carriers what tasks take along from whoever forks them
    /// @param tracing what is noted beyond names
    public record Options(
            Threads threads,
            TimeSource timeSource,
            Observer observer,
            CancelMode cancelMode,
            Duration nag,
            List<ContextCarrier> carriers,
            Tracing tracing) {
        /// The system's threads and clock, no observer, cancel by interrupt, the process's carriers, no
        /// tracing.
        public static final Options DEFAULT =
                new Options(Threads.system(), TimeSource.system(), Observer.none(), CancelMode.INTERRUPT);

        /// Copies the carriers.
        public Options {
            Objects.requireNonNull(threads, "threads");
            Objects.requireNonNull(timeSource, "timeSource");
            observer = Isolated.of(Objects.requireNonNull(observer, "observer"));
            Objects.requireNonNull(cancelMode, "cancelMode");
            Objects.requireNonNull(tracing, "tracing");
            if (nag.isNegative()) {
                throw new IllegalArgumentException("nag: %s (expected: zero or more)".formatted(nag));
            }
            carriers = List.copyOf(carriers);
        }

        /// Without nagging and tracing, with the carriers that are provided for the process.
        ///
        /// @param threads starts the tasks' threads
        /// @param timeSource ages and deadlines
        /// @param observer told of failures that no caller sees
        /// @param cancelMode how a cancel reaches the tasks' threads
        public Options(Threads threads, TimeSource timeSource, Observer observer, CancelMode cancelMode) {
            this(threads, timeSource, observer, cancelMode, Duration.ZERO, Carriers.PROVIDED, Tracing.off());
        }

        /// The same with other threads.
        ///
        /// @param other the threads
        /// @return the options
        public Options with(Threads other) {
            return new Options(other, timeSource, observer, cancelMode, nag, carriers, tracing);
        }

        /// The same with another clock.
        ///
        /// @param other the clock
        /// @return the options
        public Options with(TimeSource other) {
            return new Options(threads, other, observer, cancelMode, nag, carriers, tracing);
        }

        /// The same with another observer.
        ///
        /// @param other the observer
        /// @return the options
        public Options with(Observer other) {
            return new Options(threads, timeSource, other, cancelMode, nag, carriers, tracing);
        }

        /// The same with another cancel mode.
        ///
        /// @param other the mode
        /// @return the options
        public Options with(CancelMode other) {
            return new Options(threads, timeSource, observer, other, nag, carriers, tracing);
        }

        /// The same with other tracing.
        ///
        /// @param other what is noted
        /// @return the options
        public Options with(Tracing other) {
            return new Options(threads, timeSource, observer, cancelMode, nag, carriers, other);
        }

        /// The same, interrupting again what has not ended so long after its cancel.
        ///
        /// @param grace the time between two interrupts
        /// @return the options
        public Options nagging(Duration grace) {
            return new Options(threads, timeSource, observer, cancelMode, grace, carriers, tracing);
        }

        /// The same with one carrier more.
        ///
        /// @param one what tasks take along
        /// @return the options
        public Options carrying(ContextCarrier one) {
            var more = Stream.concat(carriers.stream(), Stream.of(one)).toList();
            return new Options(threads, timeSource, observer, cancelMode, nag, more, tracing);
        }
    }

    /// A power of two.
    private static final int STRIPES = 8;

    private final String name;
    private final Options options;
    private final Stripe[] stripes = new Stripe[STRIPES];
    final Waiters waiters = new Waiters();
    private volatile boolean sealed;
    private volatile @Nullable Reason cancelled;

    private final SupervisorClosing closing = new SupervisorClosing(this);

    private Supervisor(String name, Options options) {
        this.name = Objects.requireNonNull(name, "name");
        this.options = Objects.requireNonNull(options, "options");
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = Stripe.of(this);
        }
        Probe.opened("supervisor", name, this, null);
    }

    /// Opens one on the system's threads and clock.
    ///
    /// @param name a static label for reports
    /// @return the supervisor
    public static Supervisor open(String name) {
        return open(name, Options.DEFAULT);
    }

    /// Opens one.
    ///
    /// @param name a static label for reports
    /// @param options what it and its tasks run with
    /// @return the supervisor
    public static Supervisor open(String name, Options options) {
        return new Supervisor(name, options);
    }

    /// Starts a task with a root scope of its own.
    ///
    /// @param <T> the result
    /// @param task a static label for reports
    /// @param body runs in the task
    /// @return the task
    public <T> Task<T> fork(String task, Callable<? extends T> body) {
        return fork(task, Deadline.none(), body);
    }

    /// Starts a task whose root scope carries a deadline. No timer is armed for it: whoever forks
    /// cancels the task when the deadline has passed, as a connection does with one timer for all its
    /// requests.
    ///
    /// @param <T> the result
    /// @param task a static label for reports
    /// @param deadline inherited by what the task opens
    /// @param body runs in the task
    /// @return the task
    public <T> Task<T> fork(String task, Deadline deadline, Callable<? extends T> body) {
        Probe.before("fork", task);
        Stripe stripe = stripe();
        Task<T> forked = new Task<>(task, body, new Origin(stripe, deadline, options, true));
        stripe.admit(forked);
        forked.announce();
        Probe.step("fork", task, "admitted");
        Reason why = cancelled;
        if (why != null) {
            forked.cancel(why);
        }
        forked.start();
        Probe.after("fork", task);
        return forked;
    }

    /// Registers a value; if that is refused, the value is released before the refusal is thrown.
    ///
    /// @param <T> the value's type
    /// @param type the kind of resource
    /// @param value the value
    /// @return its handle
    public <T> Owned<T> own(ResourceType<T> type, T value) {
        Stripe stripe = stripe();
        Owned<T> node;
        try {
            Probe.before("own", type.name());
            node = stripe.node(type, null, Owned.State.RESERVED);
            stripe.link(node);
        } catch (Throwable refused) {
            Scope.releaseRefused(type, value, refused);
            throw refused;
        }
        Probe.opened("owned", type.name(), node, this);
        node.hold(value);
        if (type.hasHook()) {
            stripe.registerHook(node);
        }
        Probe.after("own", type.name());
        return node;
    }

    /// Refuses whatever is new from now on. Does not cancel and does not wait.
    public void seal() {
        sealed = true;
        for (Stripe stripe : stripes) {
            stripe.seal();
        }
    }

    /// Whether it refuses what is new.
    ///
    /// @return true for ever once true
    public boolean isSealed() {
        return sealed;
    }

    /// Asks all tasks to end and runs the hooks of all values; does not wait. Tasks forked later are
    /// born cancelled.
    ///
    /// @param reason why; the first reason stays
    public void cancelAll(Reason reason) {
        synchronized (this) {
            if (cancelled == null) {
                cancelled = reason;
            }
        }
        for (Stripe stripe : stripes) {
            stripe.liveTasks().forEach(task -> task.cancel(reason));
            stripe.liveHandles().forEach(this::runHook);
        }
    }

    void runHook(Owned<?> handle) {
        try {
            handle.runHook();
        } catch (RuntimeException | Error failure) {
            options.observer().failed(name + ", hook of " + handle.type(), failure);
        }
    }

    /// How many tasks and values it owns.
    ///
    /// @return a snapshot
    public int live() {
        int live = 0;
        for (Stripe stripe : stripes) {
            live += stripe.tasks() + stripe.handles();
        }
        return live;
    }

    /// How many tasks it owns.
    ///
    /// @return a snapshot
    public int liveTasks() {
        int live = 0;
        for (Stripe stripe : stripes) {
            live += stripe.tasks();
        }
        return live;
    }

    /// Waits until it owns nothing. Only a sealed supervisor stays so.
    ///
    /// @param deadline the end of the wait
    /// @return whether it owned nothing
    public boolean await(Deadline deadline) {
        return waiters.await(() -> live() == 0, deadline, new Waiters.Patient("all of supervisor " + name));
    }

    /// Waits until it has no tasks.
    ///
    /// @param deadline the end of the wait
    /// @return whether it had none
    public boolean awaitTasks(Deadline deadline) {
        return waiters.await(() -> liveTasks() == 0, deadline, new Waiters.Patient("tasks of supervisor " + name));
    }

    /// What it owns, as indented text.
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

    Stream<Stripe> stripes() {
        return Stream.of(stripes);
    }

    /// Who is still at work: one entry a task, with the stack of its thread.
    ///
    /// @return a snapshot
    public List<Holder> holders() {
        return Stream.of(stripes)
                .flatMap(stripe -> stripe.liveTasks().stream())
                .map(Task::holder)
                .toList();
    }

    /// Seals, cancels, joins and releases, and waits for the truth, also after a close that was overdue.
    /// Throws [CloseFailure] if something failed in ending, and `IllegalStateException`, changing nothing,
    /// from inside its own task or the release of a value it owns, which it would wait for.
    @Override
    public void close() {
        CloseReport done = close(Deadline.none());
        closing.awaitOver();
        if (done.status() == CloseReport.Status.FAILED) {
            throw new CloseFailure("supervisor '" + name + "'", done.failures());
        }
    }

    /// Seals, cancels, joins and releases, waiting no longer than the budget. If it overruns, the close
    /// goes on in the background, and the report names who is pending.
    ///
    /// @param budget bounds the wait, never the ownership
    /// @return the same report for every caller
    public CloseReport close(Deadline budget) {
        return closing.close(budget);
    }

    /// Takes over the join of a running task.
    ///
    /// @return false if it had ended
    boolean takeOver(Task<?> task) {
        Stripe stripe = stripe();
        stripe.admit(task);
        Probe.step("detach", task.name(), "admitted");
        if (!task.ownedBy(stripe)) {
            stripe.retire(task);
            changed();
            return false;
        }
        Reason why = cancelled;
        if (why != null) {
            task.cancel(why);
        }
        return true;
    }

    Options options() {
        return options;
    }

    Stripe stripe() {
        if (Probe.ON) {
            return stripes[0]; // the same in each run
        }
        return stripes[(int) Thread.currentThread().threadId() & (STRIPES - 1)];
    }

    boolean isCancelled() {
        return cancelled != null;
    }

    AdmissionClosed refusal(String attempt) {
        return new AdmissionClosed("%s: supervisor '%s' is sealed and takes nothing more".formatted(attempt, name));
    }

    void taskEnded(Task<?> task, Optional<Throwable> failure) {
        failure.ifPresent(thrown -> options.observer().failed(name + ", task " + task.name(), thrown));
        changed();
    }

    void changed() {
        waiters.wake();
    }

    /// Its name.
    ///
    /// @return for reports
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return "supervisor " + name + (sealed ? " sealed" : " open") + ", " + live() + " live";
    }
}
