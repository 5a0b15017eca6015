package dev.tenure.host;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Timers;
import dev.tenure.host.internal.Bell;
import dev.tenure.host.internal.ExitHook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/// The activities of a host: those it runs itself are admitted, counted and cancelled here; those that a server
/// opens are the server's to count, and only their gates are known here.
///
/// **Threads:** any; counters and the seal are guarded by this.
final class Activities implements Component {
    static final String NAME = "activities";

    /// One activity that the host runs, on its caller's thread.
    static final class Unit {
        private final Activity activity;
        private final String where;
        private final Thread thread;
        private final long startedNanos;
        private final Scope scope;
        private volatile long cancelledNanos;
        private final AtomicInteger unended = new AtomicInteger(2); // the activity and its scope
        private volatile boolean told;
        private volatile boolean cancelled;

        Unit(Activity activity, String where, long startedNanos, Scope scope) {
            this.activity = activity;
            this.where = where;
            this.thread = Thread.currentThread();
            this.startedNanos = startedNanos;
            this.scope = scope;
        }

        void cancel(Reason reason, long nowNanos) {
            cancelledNanos = nowNanos;
            told = true;
            cancelled = scope.canceller().cancel(reason);
        }

        /// Whether it ends because it was cancelled; it may end before its canceller has returned.
        boolean wasCancelled() {
            return cancelled || (told && scope.cancelled().isPresent());
        }
    }

    private final HostSettings settings;
    private final Bell bell;
    private final Registry registry;
    private final Map<Activity, Unit> units = new ConcurrentHashMap<>();
    private volatile boolean gatesGivenUp;

    /// Used by the coordinator's thread alone.
    private Optional<Timers.Alarm> giveUp = Optional.empty();

    private volatile boolean exiting;

    // Guarded by this.
    private boolean sealed;
    private long admitted;
    private long completed;
    private long cancelled;
    private Optional<Activity> only = Optional.empty();

    Activities(HostSettings settings, Bell bell, Registry registry) {
        this.settings = settings;
        this.registry = registry;
        this.bell = bell;
    }

    HostSettings settings() {
        return settings;
    }

    Bell bell() {
        return bell;
    }

    // ---- activities of servers ----

    Activity open(String name) {
        var activity = new Activity(this, name);
        enterAlone(activity);
        return activity;
    }

    // ---- isolation ----

    /// An isolated host has one activity at a time: what is closed at its end must not be in use by another.
    private synchronized void enterAlone(Activity activity) {
        if (!settings.isIsolated()) {
            return;
        }
        only.ifPresent(other -> {
            throw new IllegalStateException("host '%s': activity '%s' was refused: '%s' has not ended, and policy %s %s"
                    .formatted(
                            settings.name(), activity.name(), other.name(), settings.policy(), "admits one at a time"));
        });
        only = Optional.of(activity);
    }

    private synchronized Optional<Activity> only() {
        return only;
    }

    /// Files a cleanup of the process with the present activity of an isolated host.
    ///
    /// @return empty if there is none, or its cleanups have run
    Optional<Activity.Entry> file(String what, Cleanup cleanup) {
        return only().flatMap(activity -> activity.file(what, cleanup));
    }

    /// The last step of an isolated host's activity: what was registered outside of any, normally nothing.
    List<CloseReport.Failure> processPass() {
        var failures = new ArrayList<CloseReport.Failure>();
        for (var cleanup : settings.isIsolated() ? registry.takeCleanups() : List.<Tracked>of()) {
            try {
                var none = new Opener.LateStop(Deadline.none(), Reason.of(Reason.Kind.CLOSE, "the activity"));
                OwnedWork.run(
                        "cleanup '" + cleanup.name() + "'",
                        () -> cleanup.component().enter(Phase.DISPOSE_DEPENDENCIES, none));
            } catch (Throwable thrown) {
                failures.add(new CloseReport.Failure(cleanup.name(), thrown));
            }
        }
        return failures;
    }

    // ---- gates ----

    /// Waits for a gate; tells who holds it after the configured age; gives up when the stop does.
    boolean awaitGate(Gate gate, Deadline budget) {
        if (gate.sealIfEmpty()) {
            return true;
        }
        var alarm = settings.timers().at(Deadline.in(settings.gateAge(), settings.time()), () -> tellHolders(gate));
        try {
            bell.await(() -> gatesGivenUp || gate.sealIfEmpty(), budget);
            return gate.sealIfEmpty();
        } finally {
            alarm.cancel();
        }
    }

    private void tellHolders(Gate gate) {
        var holders = gate.holders();
        if (!holders.isEmpty()) {
            settings.observer()
                    .overdue(new CloseReport(
                            holders.getFirst().where(),
                            CloseReport.Status.OVERDUE,
                            0,
                            List.of(),
                            holders,
                            settings.gateAge()));
        }
    }

    /// From the middle of the cooperative window on, no activity waits for its gate any more: its owner still has
    /// the other half to say so. Called at most once.
    void giveGatesUp(Stop stop) {
        var half = stop.deadline().remaining().dividedBy(2);
        giveUp = Optional.of(settings.timers().at(Deadline.in(half, settings.time()), this::giveGatesUp));
    }

    /// In an isolated host nothing of ours ends the wait: what its cleanups close is in use.
    private void giveGatesUp() {
        gatesGivenUp = !settings.isIsolated();
        bell.ring();
    }

    /// The stop has its report: what was to happen until then happens now, and no timer stays armed.
    void drained() {
        if (giveUp.map(Timers.Alarm::cancel).orElse(false)) {
            giveGatesUp();
        }
    }

    /// An activity has run its cleanups. One that the host runs has ended when its scope has released everything too.
    void ended(Activity activity) {
        var unit = units.get(activity);
        if (unit == null) {
            leave(activity); // a server's
        } else {
            endedPartly(unit);
        }
    }

    private void endedPartly(Unit unit) {
        if (unit.unended.decrementAndGet() > 0) {
            return;
        }
        units.remove(unit.activity);
        leave(unit.activity);
        synchronized (this) {
            if (unit.wasCancelled()) {
                cancelled++;
            } else {
                completed++;
            }
        }
        bell.ring();
    }

    private synchronized void leave(Activity activity) {
        only = only.filter(other -> other != activity);
    }

    // ---- activities of the host ----

    /// Runs a unit of work on this thread.
    ///
    /// @return empty if nothing is admitted any more
    <R, X extends Exception> Optional<Result<R>> run(String name, ActivityBody<R, X> body) throws X {
        var where = body.getClass().getName();
        var activity = new Activity(this, name);
        var unit = Optional.<Unit>empty();
        try (var scope = Scope.open(name)) {
            var fresh = new Unit(activity, where, settings.time().nanos(), scope);
            if (!admit(fresh)) {
                return Optional.empty();
            }
            unit = Optional.of(fresh);
            return Optional.of(new Result<>(runIn(activity, body)));
        } finally {
            unit.ifPresent(this::endedPartly);
        }
    }

    /// A result that may be null where the body's type allows it.
    record Result<R>(R value) {}

    private static <R, X extends Exception> R runIn(Activity activity, ActivityBody<R, X> body) throws X {
        R value;
        try {
            value = activity.run(body);
        } catch (Throwable primary) {
            activity.close(Deadline.none()).failures().forEach(failed -> primary.addSuppressed(failed.failure()));
            throw primary;
        }
        activity.close();
        return value;
    }

    /// Counts a unit and notes whose it is in one step, so that a drain sees all that were counted; nothing can fail
    /// between this and the unit's end.
    private synchronized boolean admit(Unit unit) {
        if (sealed) {
            return false;
        }
        enterAlone(unit.activity);
        admitted++;
        units.put(unit.activity, unit);
        return true;
    }

    // ---- as a component ----

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Phase> phases() {
        return EnumSet.of(Phase.STOP_ADMISSION, Phase.DRAIN_IN_FLIGHT);
    }

    @Override
    public void enter(Phase phase, Stop stop) {
        if (phase == Phase.STOP_ADMISSION) {
            synchronized (this) {
                sealed = true;
            }
        } else {
            bell.await(this::isDrained, stop.deadline());
        }
    }

    /// A unit whose thread called exit never comes back.
    private boolean isDrained() {
        return units.values().stream()
                .allMatch(unit -> exiting && ExitHook.isExiting(List.of(unit.thread.getStackTrace())));
    }

    void exiting() {
        exiting = true;
        bell.ring();
    }

    @Override
    public void force(Stop stop) {
        for (var unit : units.values()) {
            unit.cancel(
                    Reason.of(Reason.Kind.STOP, "host '" + settings.name() + "'"),
                    settings.time().nanos());
        }
    }

    @Override
    public List<Holder> holders() {
        var holders = new ArrayList<Holder>();
        for (var unit : units.values()) {
            var gate = unit.activity.holders();
            holders.add(holder(unit, gate.isEmpty()));
            holders.addAll(gate);
        }
        return holders;
    }

    private Holder holder(Unit unit, boolean withStack) {
        var now = settings.time().nanos();
        Optional<Duration> ago =
                unit.cancelled ? Optional.of(Duration.ofNanos(now - unit.cancelledNanos)) : Optional.empty();
        return new Holder(
                unit.activity.name(),
                unit.where,
                Duration.ofNanos(now - unit.startedNanos),
                ago,
                withStack ? List.of(unit.thread.getStackTrace()) : List.of());
    }

    @Override
    public synchronized Map<String, Long> counts() {
        var counts = new LinkedHashMap<String, Long>();
        counts.put("admitted", admitted);
        counts.put("completed", completed);
        counts.put("cancelled", cancelled);
        counts.put("retained", admitted - completed - cancelled);
        return counts;
    }
}
