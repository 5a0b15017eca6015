package dev.tenure.host;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.CancelMode;
import dev.tenure.core.Cancelled;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.HostSettings.Seams;
import dev.tenure.host.internal.Bell;
import dev.tenure.host.internal.ExitHook;
import dev.tenure.host.internal.ProcessSignals;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/// The lifetime of a process: what it owns, in the order of dependency, and its one stop.
///
/// **Owner:** `main`, by try-with-resources. **Ends:** once, by the first of a signal, [#stop()],
/// [#close()], a failed start, a failed background service or the exit of the JVM; every caller gets
/// the same [ShutdownReport]. **States:**
/// ```
/// not ready --awaitStop() or ready()--> ready --stop--> stopping --report--> stopped
/// ```
/// Readiness never rises again. **Threads:** any; the coordinator is a platform thread, and each call
/// of a component has one. **Limits:** the stop has one absolute budget (default 25 s), overshot by at
/// most 50 ms whatever hangs. **Fails:** the library never exits the process; `main` does, with
/// [#exitCode]. **Source:** design 4.
public final class Host implements AutoCloseable {
    private static final Duration OVERSHOOT_MAX = Duration.ofMillis(50);

    private final HostSettings settings;
    private final Bell bell;
    private final Lifecycle lifecycle;
    private final Registry registry;
    private final Activities activities;
    private final Coordinator coordinator;
    private final Opener opener;
    private final Optional<Task<?>> starter = Task.current();
    private final AtomicBoolean signalled = new AtomicBoolean();

    private Host(HostSettings settings) {
        this.settings = settings;
        this.bell = new Bell(settings.timers());
        this.lifecycle = new Lifecycle(bell, settings.time());
        this.registry = new Registry(bell, settings.time());
        this.activities = new Activities(settings, bell, registry);
        this.coordinator = new Coordinator(settings, lifecycle, registry, activities);
        this.opener = new Opener(this, settings, lifecycle, registry);
    }

    /// Begins to build a host.
    ///
    /// @param name for reports, not blank
    /// @return its builder, which opens nothing
    public static HostBuilder named(String name) {
        return new HostBuilder(name);
    }

    static Host started(HostSettings settings) {
        var host = new Host(settings);
        host.registry.register(new Tracked(host.activities, false));
        var exitHook = ExitHook.install(settings.threads(), host::stopBecauseOfExit);
        var signals = settings.signals() ? ProcessSignals.install(host::onSignal) : ProcessSignals.none();
        settings.threads().startPlatform("tenure-host-" + settings.name(), () -> host.coordinate(signals, exitHook));
        return host;
    }

    private void coordinate(ProcessSignals signals, ExitHook exitHook) {
        try {
            var end = coordinator.run();
            signals.close();
            exitHook.close();
            lifecycle.end(end);
        } catch (Throwable failure) {
            settings.observer().failed("host '" + settings.name() + "'", failure);
            lifecycle.fail(failure);
        }
    }

    // ---- what it owns ----

    /// Opens a part and owns it. The order of these calls is the order of dependency; the stop goes the
    /// other way round.
    ///
    /// If opening throws, everything owned so far is stopped in reverse under one budget, and the
    /// failure is thrown with the failures of that stop suppressed under it.
    ///
    /// @param <T> the component
    /// @param part a builder
    /// @return the open component; do not close it
    /// @throws HostStopping if the host stops; nothing is left open
    /// @throws ConfigurationError if the part says so, or if components use each other in a circle
    public <T extends Component> T own(Part<T> part) {
        return opener.open(part, true);
    }

    /// Opens a part at its first use: what ran before is not rolled back if that fails.
    <T extends Component> T ownLate(Part<T> part) {
        return opener.open(part, false);
    }

    /// Opens a part that an activity will own.
    <T extends Component> T openIsolated(Part<T> part) throws Exception {
        return opener.openIsolated(part);
    }

    /// Notes something that was lent to this process. It is reported `NOT_OWNED` and never closed.
    ///
    /// @param name for reports
    public void borrow(String name) {
        registry.borrow(name);
    }

    /// Adds an entry to the process's cleanup queue: run first among what is disposed of, in the order
    /// of registration, each awaited; one that is registered while the queue runs is run with it.
    ///
    /// A `REQUEST_ISOLATED` host runs it at the end of the present activity, among that one's cleanups; if there is
    /// none, at the end of the next.
    ///
    /// @param name for reports
    /// @param cleanup runs once, on a platform thread of its own
    /// @param uses components that it uses; they are disposed of after it anyway, unless it hangs: then
    /// they are not
    /// @throws HostStopping once the queue has run
    public void cleanup(String name, Cleanup cleanup, Component... uses) {
        file(name, cleanup, uses);
    }

    /// Files a cleanup where the policy says.
    ///
    /// @return its entry, if an activity has it
    Optional<Activity.Entry> file(String name, Cleanup cleanup, Component... uses) {
        var filed = activities.file(name, cleanup);
        if (filed.isEmpty()) {
            register(new Tracked(new CleanupPart(name, cleanup, Set.of(uses)), true), "cleanup '" + name + "'");
        }
        return filed;
    }

    /// Adds an entry to the process's cleanup queue that ends when its stage does, and fails as it does.
    ///
    /// @param name for reports
    /// @param cleanup starts the cleanup, once, on a platform thread of its own
    /// @param uses components that it uses, as for [#cleanup]
    /// @throws HostStopping once the queue has run
    public void cleanupStage(String name, Callable<? extends CompletionStage<?>> cleanup, Component... uses) {
        cleanup(name, new StageCleanup(cleanup), uses);
    }

    /// Starts a background service. See there for its end.
    ///
    /// @param service one of each type
    /// @throws ConfigurationError if there is one of its type
    /// @throws HostStopping if the host stops
    public void background(BackgroundService service) {
        opener.refuseIsolated("background service '" + service.name() + "'");
        if (!registry.claim(service.getClass())) {
            throw ConfigurationError.of("background", service.name(), "one service of each type");
        }
        var part = new ServicePart(service, new BackgroundCancellation(bell, settings.time()), supervised());
        try {
            register(new Tracked(part, false), part.name());
            part.start(lifecycle);
        } catch (AdmissionClosed | HostStopping closed) {
            part.close();
            throw closed instanceof HostStopping refused ? refused : new HostStopping(this, part.name());
        }
    }

    private void register(Tracked part, String what) {
        if (!registry.register(part)) {
            throw new HostStopping(this, what);
        }
        registry.refuseCycle();
    }

    /// Runs a unit of work on this thread, in a scope of its own, and ends it: background gate,
    /// cleanups, scope.
    ///
    /// At B-F of a stop its scope is cancelled.
    ///
    /// @param <R> the result
    /// @param <X> what the body may throw
    /// @param name a static label for reports
    /// @param body the work
    /// @return its result
    /// @throws X as the body does, failed cleanups suppressed under it
    /// @throws HostStopping if nothing is admitted any more
    public <R, X extends Exception> R activity(String name, ActivityBody<R, X> body) throws X {
        return activities
                .run(name, body)
                .orElseThrow(() -> new HostStopping(this, "activity '" + name + "'"))
                .value();
    }

    /// Opens an activity for a server, which admits, counts, runs and closes it itself.
    ///
    /// @param name a static label for reports
    /// @return the activity; close it before the unit counts as done
    public Activity openActivity(String name) {
        return activities.open(name);
    }

    /// Runs a short callback once the host begins to stop, before admission ends; at once if it does
    /// already.
    ///
    /// @param callback short
    public void onStopping(Runnable callback) {
        var once = new AtomicBoolean();
        Cleanup run = () -> {
            if (once.compareAndSet(false, true)) {
                callback.run();
            }
        };
        var known = registry.register(new Tracked(new StoppingPart(run), false));
        if (!known && once.compareAndSet(false, true)) {
            callback.run();
        }
    }

    // ---- where it stands ----

    /// Raises readiness, unless the host stops.
    public void ready() {
        lifecycle.ready();
    }

    /// Whether new work is welcome.
    ///
    /// @return false before readiness was raised, and for ever from the first request to stop on
    public boolean isReady() {
        return lifecycle.isReady();
    }

    /// Whether the process is alive, draining included.
    ///
    /// @return true until the report is there
    public boolean isLive() {
        return !lifecycle.isEnded();
    }

    /// Whether a stop was requested.
    ///
    /// @return true for ever once true
    public boolean isStopping() {
        return lifecycle.isStopping();
    }

    /// The report as of now, while or after the host stops. What joined late shows here and never in
    /// the report.
    ///
    /// @return empty before a stop was requested
    public Optional<ShutdownReport> snapshot() {
        return lifecycle.request().map(_ -> coordinator.snapshot());
    }

    // ---- the stop ----

    /// Raises readiness and waits for the stop, whoever requests it.
    ///
    /// @return the report
    /// @throws IllegalStateException from work that the stop waits for
    /// @throws Cancelled if this thread is interrupted: that ends this wait alone, never the stop
    public ShutdownReport awaitStop() {
        refuseToWait("awaitStop()");
        ready();
        return await("awaitStop()");
    }

    /// Requests the stop. Does not wait, so it may be called from anywhere.
    public void stop() {
        lifecycle.requestStop("host.stop()", Reason.of(Reason.Kind.STOP, "host.stop()"));
    }

    /// Requests the stop and waits for it.
    ///
    /// @return the report
    /// @throws IllegalStateException from work that the stop waits for; it has not been requested then
    /// @throws Cancelled if this thread is interrupted: that ends this wait alone, never the stop
    public ShutdownReport stopAndWait() {
        refuseToWait("stopAndWait()");
        stop();
        return await("stopAndWait()");
    }

    /// Requests the stop.
    ///
    /// @return completes with the report; completing or cancelling it changes nothing here
    public CompletionStage<ShutdownReport> stopAsync() {
        stop();
        return lifecycle
                .ended()
                .thenApplyAsync(Lifecycle.Ended::report, task -> threads().startPlatform("tenure-host-told", task))
                .minimalCompletionStage();
    }

    /// Requests the stop when the stage completes, either way: for an application that encloses this
    /// host.
    ///
    /// @param signal its completion
    public void stopWhen(CompletionStage<?> signal) {
        var _ = signal.whenComplete((_, failure) -> lifecycle.requestStop(
                failure == null ? "the application" : "the application: " + Tracked.oneLine(failure.toString()),
                new Reason(Reason.Kind.STOP, "the application", failure)));
    }

    /// Requests force: what is in flight is cancelled now, and the report is there within 100 ms
    /// if that does not end; what does is disposed of first, for at most a second.
    public void force() {
        lifecycle.requestStop("host.force()", Reason.of(Reason.Kind.STOP, "host.force()"));
        lifecycle.requestForce("host.force()");
    }

    /// Ends the host if nothing has: requests the stop and waits for it. After a stop it returns at
    /// once. Never throws for what the stop found; that is in the report.
    ///
    /// @throws IllegalStateException from work that the stop waits for
    @Override
    public void close() {
        if (lifecycle.isEnded()) {
            return;
        }
        refuseToWait("close()");
        lifecycle.requestStop("close()", Reason.of(Reason.Kind.CLOSE, "close()"));
        try {
            await("close()");
        } catch (Cancelled _) {
            // The interrupt is restored; it ends this wait, and the stop goes on.
        }
    }

    private ShutdownReport await(String call) {
        try {
            return lifecycle.ended().get().report();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new Cancelled(Reason.of(Reason.Kind.REQUEST, "an interrupt of the thread in " + call));
        } catch (ExecutionException e) {
            throw new IllegalStateException(
                    "host '%s': its coordinator failed, so there is no report".formatted(settings.name()),
                    e.getCause());
        }
    }

    private void refuseToWait(String call) {
        OwnedWork.refuseToWait(settings.name(), call, starter);
    }

    /// The first signal asks, the second forces.
    private void onSignal(String signal) {
        if (signalled.compareAndSet(false, true)) {
            lifecycle.requestStop(signal, Reason.of(Reason.Kind.STOP, signal));
        } else {
            lifecycle.requestForce("a second signal (" + signal + ")");
        }
    }

    /// Runs while the JVM exits, and holds it until the stop has ended.
    private void stopBecauseOfExit() {
        lifecycle.exiting();
        activities.exiting();
        lifecycle.requestStop("the exit of the JVM", Reason.of(Reason.Kind.STOP, "the exit of the JVM"));
        lifecycle.awaitEnded(Deadline.in(settings.budget().plus(OVERSHOOT_MAX))); // real time, whatever clock it has
    }

    // ---- for its parts ----

    /// Its name.
    ///
    /// @return as it was built
    public String name() {
        return settings.name();
    }

    /// How long what it opens lives.
    ///
    /// @return as it was built
    public DeploymentPolicy policy() {
        return settings.policy();
    }

    String trigger() {
        return lifecycle.request().map(Lifecycle.Request::trigger).orElse("nobody");
    }

    /// The clock that parts use.
    ///
    /// @return the clock
    public TimeSource timeSource() {
        return settings.time();
    }

    /// The timers that parts use.
    ///
    /// @return the timers
    public Timers timers() {
        return settings.timers();
    }

    /// The threads that parts use.
    ///
    /// @return the threads
    public Threads threads() {
        return settings.threads();
    }

    /// The application's ear; its own failures are isolated.
    ///
    /// @return the observer
    public Observer observer() {
        return settings.observer();
    }

    /// Options for supervisors of parts: this host's threads, clock and observer, cancel by interrupt.
    ///
    /// @return the options
    public Supervisor.Options supervised() {
        Seams seams = settings.seams();
        return new Supervisor.Options(seams.threads(), seams.time(), seams.observer(), CancelMode.INTERRUPT);
    }

    // ---- for main ----

    /// Runs a program and turns its end into an exit code: `System.exit(Host.exitCode(() ->
    /// run(arguments)))`.
    ///
    /// Prints the report, a configuration error as one line, or another failure with its stack, on
    /// standard error. Never exits itself.
    ///
    /// @param main starts a host and returns its report
    /// @return 0 graceful, 2 configuration, 70 failed, 71 forced, 72 incomplete
    public static int exitCode(HostMain main) {
        return exitCode(main, System.err);
    }

    static int exitCode(HostMain main, PrintStream to) {
        try {
            return told(main.run(), to);
        } catch (ConfigurationError wrong) {
            to.println(Tracked.oneLine(String.valueOf(wrong.getMessage())));
            return 2;
        } catch (HostStopping stopping) {
            return told(stopping.host().await("exitCode()"), to);
        } catch (Throwable failure) {
            failure.printStackTrace(to);
            return ShutdownReport.Completion.FAILED.exitCode();
        }
    }

    private static int told(ShutdownReport report, PrintStream to) {
        to.println(report.toText());
        return report.exitCode();
    }
}
