package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Reason;
import dev.tenure.host.ShutdownReport.CallReport;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.host.ShutdownReport.PhaseReport;
import dev.tenure.host.internal.Bell;
import dev.tenure.host.internal.BudgetPlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// Runs the stop of one host through its phases, inside one budget, whatever hangs.
///
/// **Owner:** the host. **Ends:** with the report. **Threads:** one platform thread of its own; it runs no code of
/// components, only waits for the threads that do. **Source:** design 4.
final class Coordinator {
    private static final long MARGIN_NANOS_MAX = Duration.ofMillis(10).toNanos();
    private static final long FLUSH_MARGIN_NANOS = Duration.ofMillis(10).toNanos();
    private static final Duration EVIDENCE_MIN = Duration.ofMillis(15);
    private static final Duration EVIDENCE_MAX = Duration.ofMillis(250);
    private static final Duration EVIDENCE_FORCED = Duration.ofMillis(20);
    private static final Duration LAST_LOOK = Duration.ofMillis(5);
    private static final Duration WRITING = Duration.ofMillis(5);
    private static final Duration CONSUMER_MIN = Duration.ofMillis(20);
    private static final Duration EXIT_LOOK = Duration.ofMillis(20);
    private static final Duration EXIT_EVIDENCE = Duration.ofMillis(20);

    private final HostSettings settings;
    private final Lifecycle lifecycle;
    private final Registry registry;
    private final Activities activities;
    private final Bell bell;
    private final EvidenceRound evidence;

    // Written by the coordinator's thread, read by any.
    private final List<PhaseDone> done = new CopyOnWriteArrayList<>();
    private volatile BudgetPlan plan;
    private volatile long anchorNanos;
    private volatile @Nullable Long forcedNanos;

    /// Used by the coordinator's thread alone.
    private boolean shortened;

    /// Whether all work ended in its time, so that nothing but disposal is left. Used by the coordinator's thread
    /// alone.
    private boolean cooperative = true;

    Coordinator(HostSettings settings, Lifecycle lifecycle, Registry registry, Activities activities) {
        this.settings = settings;
        this.lifecycle = lifecycle;
        this.registry = registry;
        this.activities = activities;
        this.bell = activities.bell();
        this.evidence = new EvidenceRound(settings, bell);
        this.plan = BudgetPlan.of(settings.budget());
    }

    /// Waits for the first request to stop, and stops.
    ///
    /// @return the report's ingredients
    Lifecycle.Ended run() {
        rehearse();
        return stop();
    }

    /// A rehearsal that fails changes nothing but how long the stop takes.
    private void rehearse() {
        try {
            if (!lifecycle.isStopping()) {
                Rehearsal.run();
            }
        } catch (Throwable failure) {
            settings.observer().failed("the rehearsal of a stop", failure);
        }
    }

    /// Stops, once that is asked for, without a rehearsal.
    Lifecycle.Ended stop() {
        anchorNanos = lifecycle.awaitRequest().atNanos();
        awaitOpenings();
        evidence.rehearse(registry.all());
        together(Phase.READINESS_DOWN, earlyEnd());
        delay();
        inTurn(Phase.STOP_ADMISSION, earlyEnd());
        together(Phase.DRAIN_IN_FLIGHT, BudgetPlan::cooperativeEndNanos);
        awaitForce();
        if (forcedNanos != null) {
            gather(registry.all());
        }
        cooperative = registry.all().stream().noneMatch(Tracked::isUnproven);
        inTurn(Phase.DISPOSE_DEPENDENCIES, BudgetPlan::disposeEndNanos);
        registry.sealCleanups();
        awaitStragglers();
        together(Phase.FLUSH_TELEMETRY, at -> at.totalNanos() - FLUSH_MARGIN_NANOS);
        awaitForce();
        evidence.gather(registry.all(), lastWords());
        registry.all().forEach(part -> part.conclude(this::forcedIn));
        activities.drained();
        var report = report();
        hand(report);
        var failures = registry.all().stream()
                .flatMap(part -> part.failures().stream())
                .toList();
        return new Lifecycle.Ended(report, failures);
    }

    /// Whoever asked for force waits for what obeys, which is then disposed of, and not for what does not.
    private long cut(long endNanos) {
        return isCut()
                ? Math.min(endNanos, plan.reportSoonAfter(askedForForceNanos()).disposeEndNanos())
                : endNanos;
    }

    private boolean isCut() {
        return shortened && !cooperative;
    }

    /// When the time for what does not obey is over: whether it has obeyed after all. If not, the report is due.
    private boolean hasObeyed(long endNanos) {
        if (!isCut() || at(endNanos).passed()) {
            return false;
        }
        if (!looksFree()) {
            plan = plan.reportSoonAfter(askedForForceNanos());
        }
        return cooperative;
    }

    private boolean looksFree() {
        evidence.gather(registry.all(), LAST_LOOK);
        cooperative = registry.all().stream().noneMatch(Tracked::isHeld);
        return cooperative;
    }

    // ---- phases ----

    private void awaitOpenings() {
        await(() -> !registry.isOpening(lifecycle.isExiting()), BudgetPlan::forceAtNanos);
        registry.sealParts();
    }

    private void delay() {
        if (!settings.readinessDelay().isZero()) {
            var until = settings.readinessDelay().toNanos();
            await(() -> forcedNanos != null, at -> Math.min(until, at.forceAtNanos()));
        }
    }

    /// Force handles are short: they have the cooperative window.
    private void awaitForce() {
        await(
                () -> registry.all().stream()
                        .allMatch(part -> part.force().map(HookCall::isOver).orElse(true)),
                BudgetPlan::cooperativeEndNanos);
    }

    /// A call that outlasted its share still has the rest of the budget: what ends in it has ended. So has
    /// work that did not obey at once: nobody rings when it ends, so it is looked for now and then, in real
    /// time, which goes on when the host's clock stands still.
    private void awaitStragglers() {
        await(this::isQuiet, BudgetPlan::disposeEndNanos);
        var last = Deadline.in(BudgetPlan.REPORT_AFTER_FORCE);
        while (isCut()
                && isQuiet()
                && !last.passed()
                && !at(cut(plan.disposeEndNanos())).passed()
                && !looksFree()) {
            bell.await(() -> false, Deadline.in(LAST_LOOK).min(last));
        }
    }

    private boolean isQuiet() {
        return registry.all().stream().allMatch(Tracked::isQuiet);
    }

    private ToLongFunction<BudgetPlan> earlyEnd() {
        var from = sinceAnchor();
        return at -> at.earlyPhaseEnd(from);
    }

    private void together(Phase phase, ToLongFunction<BudgetPlan> end) {
        var began = sinceAnchor();
        var entered =
                registry.stopOrder().stream().filter(part -> part.wants(phase)).toList();
        for (var part : entered) {
            var call = enter(part, phase, end);
            await(call::isUnderWay, end);
        }
        await(() -> entered.stream().allMatch(part -> isOver(part, phase)), end);
        record(phase, began, entered);
    }

    /// One after the other. What is registered meanwhile is entered too. Once somebody has asked for force,
    /// admission ends everywhere at once: there is no time for turns.
    private void inTurn(Phase phase, ToLongFunction<BudgetPlan> end) {
        var began = sinceAnchor();
        var entered = new ArrayList<Tracked>();
        for (var next = next(phase); next.isPresent(); next = next(phase)) {
            var part = next.get();
            entered.add(part);
            var share = share(phase, end);
            if (phase != Phase.DISPOSE_DEPENDENCIES || mayDispose(part, share)) {
                enter(part, phase, share);
                await(() -> isOver(part, phase) || (shortened && phase == Phase.STOP_ADMISSION), share);
            }
        }
        await(() -> entered.stream().allMatch(part -> isOver(part, phase)), shortened ? end : _ -> 0);
        record(phase, began, entered);
    }

    private Optional<Tracked> next(Phase phase) {
        return registry.stopOrder().stream().filter(part -> part.wants(phase)).findFirst();
    }

    private ToLongFunction<BudgetPlan> share(Phase phase, ToLongFunction<BudgetPlan> end) {
        var left =
                (int) registry.all().stream().filter(part -> part.wants(phase)).count();
        var now = sinceAnchor();
        return at -> BudgetPlan.share(now, cut(end.applyAsLong(at)), Math.max(1, left));
    }

    /// What somebody may still use is not disposed of under them.
    private boolean mayDispose(Tracked part, ToLongFunction<BudgetPlan> share) {
        var users = registry.usersOf(part);
        gather(users, remaining(share.applyAsLong(plan)));
        var unproven =
                new ArrayList<>(users.stream().filter(Tracked::isUnproven).toList());
        if (!part.isQuiet()) {
            unproven.add(part);
        }
        if (unproven.isEmpty()) {
            return true;
        }
        part.refuse(
                Phase.DISPOSE_DEPENDENCIES,
                unproven.stream().map(user -> holder(user, part)).toList());
        return false;
    }

    private Holder holder(Tracked user, Tracked used) {
        var since = Duration.ofNanos(sinceAnchor());
        return new Holder(user.name(), "use of " + used.name(), since, Optional.empty(), List.of());
    }

    private HookCall enter(Tracked part, Phase phase, ToLongFunction<BudgetPlan> end) {
        var call = new HookCall("%s of '%s'".formatted(phase, part.name()), settings.time(), bell);
        var earlier = part.lastCall();
        var from = sinceAnchor();
        if (forcedNanos != null) {
            call.comesAfterForce();
        }
        part.called(phase, call);
        call.start(settings.threads(), earlier, () -> part.component().enter(phase, new View(from, end)));
        return call;
    }

    private static boolean isOver(Tracked part, Phase phase) {
        return part.call(phase).map(HookCall::isOver).orElse(true);
    }

    private void record(Phase phase, long began, List<Tracked> entered) {
        var elapsed = Duration.ofNanos(sinceAnchor() - began);
        done.add(new PhaseDone(phase, elapsed, List.copyOf(entered)));
    }

    private CallReport callOf(Phase phase, Tracked part) {
        var call = part.call(phase);
        return new CallReport(
                part.name(),
                call.map(HookCall::outcome).orElse(Outcome.RETAINED),
                call.map(HookCall::elapsed).orElse(Duration.ZERO),
                part.evidence().summaries().getOrDefault(phase, ""),
                lifecycle.isEnded() ? call.flatMap(HookCall::joinedLate) : Optional.empty());
    }

    private void gather(List<Tracked> parts) {
        gather(parts, within(EVIDENCE_MAX, remaining(plan.totalNanos())));
    }

    /// Once force was asked for, there is no time for who does not answer at once.
    private void gather(List<Tracked> parts, Duration limit) {
        var most = shortened ? within(EVIDENCE_FORCED, remaining(cut(plan.disposeEndNanos()))) : limit;
        evidence.gather(parts, within(most, limit));
    }

    /// The last answer decides the report, so a component that is merely slow has the time that is left.
    private Duration lastWords() {
        var left = remaining(plan.totalNanos());
        return within(left, left.minus(shortened ? WRITING : CONSUMER_MIN));
    }

    private Duration within(Duration most, Duration left) {
        var least = shortened ? Duration.ZERO : EVIDENCE_MIN;
        var limit = left.compareTo(most) > 0 ? most : left;
        return limit.compareTo(least) < 0 ? least : limit;
    }

    /// Gives the report out, and the failures to the observer, each on a thread of its own.
    private void hand(ShutdownReport report) {
        var calls = new ArrayList<HookCall>();
        settings.reportTo().forEach(consumer -> calls.add(tell(() -> consumer.accept(report))));
        if (registry.all().stream().anyMatch(part -> !part.failures().isEmpty())) {
            calls.add(tell(this::tellFailures));
        }
        var left = remaining(plan.totalNanos());
        var limit = left.compareTo(CONSUMER_MIN) < 0 ? CONSUMER_MIN : left;
        bell.await(() -> calls.stream().allMatch(HookCall::isOver), Deadline.in(limit, settings.time()));
        calls.forEach(call ->
                call.failure().ifPresent(thrown -> settings.observer().failed(settings.name(), thrown)));
    }

    private HookCall tell(Cleanup telling) {
        var call = new HookCall("the report's consumer", settings.time(), bell);
        call.start(settings.threads(), null, telling);
        return call;
    }

    private void tellFailures() {
        registry.all()
                .forEach(part ->
                        part.failures().forEach(failure -> settings.observer().failed(part.name(), failure)));
    }

    // ---- waiting and force ----

    private boolean await(BooleanSupplier reached, ToLongFunction<BudgetPlan> end) {
        while (true) {
            forceIfDue();
            lookForExits();
            if (reached.getAsBoolean()) {
                return true;
            }
            var until = at(cut(end.applyAsLong(plan)));
            if (until.passed()) {
                if (hasObeyed(end.applyAsLong(plan))) {
                    continue;
                }
                return false;
            }
            var exiting = lifecycle.isExiting();
            bell.await(
                    () -> reached.getAsBoolean() || isForceNew() || lifecycle.isExiting() != exiting,
                    nextLook(until, exiting));
        }
    }

    private Deadline nextLook(Deadline until, boolean exiting) {
        var look = forcedNanos == null ? until.min(at(plan.forceAtNanos())) : until;
        return exiting ? look.min(Deadline.in(EXIT_LOOK, settings.time())) : look;
    }

    private boolean isForceNew() {
        return !shortened && lifecycle.force().isPresent();
    }

    /// While the JVM exits, a call that waits for it never returns, nor does one whose every user waits for it.
    private void lookForExits() {
        if (!lifecycle.isExiting()) {
            return;
        }
        var waiting = registry.all().stream().filter(part -> !part.isQuiet()).toList();
        evidence.gather(waiting, EXIT_EVIDENCE);
        waiting.forEach(Tracked::lookForExit);
    }

    private void forceIfDue() {
        if (isForceNew()) {
            shortened = true;
            plan = plan.forcedAt(askedForForceNanos());
        }
        if (forcedNanos == null && sinceAnchor() >= plan.forceAtNanos()) {
            forcedNanos = settings.time().nanos();
            activities.giveGatesUp(new View(sinceAnchor(), BudgetPlan::cooperativeEndNanos));
            var inUse =
                    registry.stopOrder().stream().filter(part -> !part.isOver()).toList();
            inUse.forEach(this::force);
            evidence.ask(inUse);
        }
    }

    private long askedForForceNanos() {
        return lifecycle.force().orElseThrow().atNanos() - anchorNanos;
    }

    private void force(Tracked part) {
        var call = new HookCall("force of '%s'".formatted(part.name()), settings.time(), bell);
        part.forced(call);
        var view = new View(sinceAnchor(), BudgetPlan::cooperativeEndNanos);
        call.start(settings.threads(), null, () -> part.component().force(view));
    }

    /// When work was cancelled, for the phases that wait for work.
    private Optional<Long> forcedIn(Phase phase) {
        return phase == Phase.DRAIN_IN_FLIGHT || phase == Phase.DISPOSE_DEPENDENCIES
                ? Optional.ofNullable(forcedNanos)
                : Optional.empty();
    }

    // ---- time ----

    private long sinceAnchor() {
        return settings.time().nanos() - anchorNanos;
    }

    private Deadline at(long afterAnchorNanos) {
        return Deadline.atNanos(anchorNanos + afterAnchorNanos, settings.time());
    }

    private Duration remaining(long afterAnchorNanos) {
        return at(afterAnchorNanos).remaining();
    }

    /// When the stop has ended at the latest; for those who wait for it.
    Deadline budgetEnd() {
        return at(plan.totalNanos());
    }

    // ---- report ----

    /// The report as of now.
    ShutdownReport report() {
        return new ReportMaker(settings, registry, lifecycle)
                .make(Duration.ofNanos(sinceAnchor()), phasesNow(), forcedNanos != null);
    }

    /// The report as of now, for the live view: calls that ended meanwhile show when.
    ShutdownReport snapshot() {
        gather(registry.all());
        return report();
    }

    private List<PhaseReport> phasesNow() {
        return done.stream().map(this::report).toList();
    }

    private PhaseReport report(PhaseDone over) {
        var calls =
                over.entered().stream().map(part -> callOf(over.phase(), part)).toList();
        return new PhaseReport(over.phase(), over.elapsed(), calls);
    }

    /// A phase that is over, with the components it entered.
    private record PhaseDone(Phase phase, Duration elapsed, List<Tracked> entered) {}

    /// What a component sees of the stop.
    private final class View implements Stop {
        private final long fromNanos;
        private final ToLongFunction<BudgetPlan> end;

        View(long fromNanos, ToLongFunction<BudgetPlan> end) {
            this.fromNanos = fromNanos;
            this.end = end;
        }

        @Override
        public Deadline deadline() {
            var at = end.applyAsLong(plan);
            var margin = Math.min(MARGIN_NANOS_MAX, Math.max(0, at - fromNanos) / 8);
            return at(at - margin);
        }

        @Override
        public Deadline forceAt() {
            return at(plan.forceAtNanos());
        }

        @Override
        public Deadline budget() {
            return at(plan.totalNanos());
        }

        @Override
        public Reason reason() {
            return lifecycle.request().orElseThrow().reason();
        }

        @Override
        public boolean forced() {
            return forcedNanos != null;
        }
    }
}
