package dev.tenure.host;

import dev.tenure.core.Holder;
import dev.tenure.host.ShutdownReport.ComponentReport;
import dev.tenure.host.ShutdownReport.Forced;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.host.internal.ExitHook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A component and everything that is known of its end.
///
/// **Threads:** written by the coordinator, read by any.
final class Tracked {
    /// What a component said of itself, gathered on a thread that may hang.
    record Evidence(Map<String, Long> counts, List<Holder> holders, Map<Phase, String> summaries) {
        static final Evidence NONE = new Evidence(Map.of(), List.of(), Map.of());

        static Evidence of(Component component, Set<Phase> phases) {
            var summaries = new EnumMap<Phase, String>(Phase.class);
            phases.forEach(phase -> summaries.put(phase, component.summary(phase)));
            return new Evidence(component.counts(), component.holders(), summaries);
        }
    }

    private final Component component;
    private final String name;
    private final Set<Phase> phases;
    private final Set<Component> uses;
    private final boolean cleanup;

    private final Map<Phase, HookCall> calls = new ConcurrentSkipListMap<>();
    private volatile Set<Phase> refused = Set.of();
    private volatile List<Holder> users = List.of();
    private volatile @Nullable HookCall force;
    private volatile Evidence evidence = Evidence.NONE;
    private volatile @Nullable Throwable evidenceFailure;

    /// Asked, and not answered yet: nobody knows whether it is still used.
    private volatile boolean silent;

    /// Asks the component for what never changes.
    ///
    /// @param cleanup whether it is an entry of the process's cleanup queue
    Tracked(Component component, boolean cleanup) {
        this.component = component;
        this.name = component.name();
        this.phases = component.phases().isEmpty() ? Set.of() : EnumSet.copyOf(component.phases());
        this.uses = Set.copyOf(component.uses());
        this.cleanup = cleanup;
    }

    Component component() {
        return component;
    }

    String name() {
        return name;
    }

    Set<Phase> phases() {
        return phases;
    }

    Set<Component> uses() {
        return uses;
    }

    boolean isCleanup() {
        return cleanup;
    }

    boolean wants(Phase phase) {
        return phases.contains(phase) && !calls.containsKey(phase) && !refused.contains(phase);
    }

    @Nullable
    HookCall lastCall() {
        return calls.isEmpty()
                ? null
                : ((ConcurrentSkipListMap<Phase, HookCall>) calls).lastEntry().getValue();
    }

    void called(Phase phase, HookCall call) {
        calls.put(phase, call);
    }

    Optional<HookCall> call(Phase phase) {
        return Optional.ofNullable(calls.get(phase));
    }

    /// It is not entered, since somebody may still use it.
    void refuse(Phase phase, List<Holder> unproven) {
        var all = EnumSet.of(phase);
        all.addAll(refused);
        refused = all;
        users = unproven;
    }

    boolean isRefused(Phase phase) {
        return refused.contains(phase);
    }

    void forced(HookCall call) {
        force = call;
    }

    Optional<HookCall> force() {
        return Optional.ofNullable(force);
    }

    void evidence(Evidence gathered) {
        evidence = gathered;
        evidenceFailure = null;
        silent = false;
    }

    /// It cannot say. What it said before still stands: it is then reported as in use rather than as ended.
    void noEvidence(Throwable failure) {
        if (evidence.equals(Evidence.NONE)) {
            evidenceFailure = failure;
            silent = false;
        }
    }

    /// It has not said in time; an answer that comes later still counts. What it said before stands until then.
    void silent(Throwable failure) {
        noEvidence(failure);
        silent = failure.equals(evidenceFailure);
    }

    Evidence evidence() {
        return evidence;
    }

    /// Fixes how its calls ended, for the report.
    ///
    /// @param forced when work was cancelled, for the phases that wait for work
    void conclude(Function<Phase, Optional<Long>> forced) {
        calls.forEach((phase, call) -> call.conclude(forced.apply(phase)));
        force().ifPresent(call -> call.conclude(Optional.empty()));
    }

    /// Looks whether its calls, or all its users, wait for the exit of the JVM: then they never return.
    void lookForExit() {
        var users = evidence.holders();
        var usersExit = !users.isEmpty() && users.stream().allMatch(user -> ExitHook.isExiting(user.stack()));
        calls.values().forEach(call -> call.lookForExit(usersExit));
    }

    /// Whether every call up to now has returned.
    boolean isQuiet() {
        return calls.values().stream().allMatch(HookCall::isOver);
    }

    /// Whether there is nothing left to force: every phase before telemetry has been entered and has returned.
    boolean isOver() {
        return isQuiet()
                && phases.stream().allMatch(phase -> phase == Phase.FLUSH_TELEMETRY || calls.containsKey(phase));
    }

    /// Whether it may still use something.
    boolean isUnproven() {
        return !isQuiet() || silent || !evidence.holders().isEmpty() || !refused.isEmpty();
    }

    /// Whether it is in use, or what used it may be, so that waiting for its disposal is of no use.
    boolean isHeld() {
        return silent
                || !evidence.holders().isEmpty()
                || !refused.isEmpty()
                || calls.entrySet().stream()
                        .anyMatch(call -> call.getKey().compareTo(Phase.DISPOSE_DEPENDENCIES) < 0
                                && !call.getValue().isOver());
    }

    int threadsLeft() {
        var own = Stream.concat(calls.values().stream(), Stream.ofNullable(force));
        var running = own.filter(call -> !call.isOver()).count();
        return (int) (running
                + holders().stream().filter(holder -> !holder.stack().isEmpty()).count());
    }

    private List<Holder> holders() {
        return Stream.concat(evidence.holders().stream(), users.stream()).toList();
    }

    ComponentReport report() {
        var where = component.getClass().getName();
        var running = Stream.concat(calls.values().stream(), Stream.ofNullable(force))
                .flatMap(call -> call.running(where).stream());
        var all = Stream.concat(holders().stream(), running).toList();
        return new ComponentReport(name, outcome(), forceOutcome(), evidence.counts(), all, failureLines());
    }

    private Outcome outcome() {
        if (!holders().isEmpty() || !refused.isEmpty()) {
            return Outcome.RETAINED;
        }
        var worst = calls.values().stream().map(HookCall::outcome).max(Comparator.naturalOrder());
        return Stream.of(worst.orElse(Outcome.COMPLETED), fromEvidence())
                .max(Comparator.naturalOrder())
                .get();
    }

    private Outcome fromEvidence() {
        if (silent) {
            return Outcome.TIMED_OUT;
        }
        return evidenceFailure == null ? Outcome.COMPLETED : Outcome.FAILED;
    }

    private Forced forceOutcome() {
        var call = force;
        if (call == null) {
            return Forced.NOT_ATTEMPTED;
        }
        return switch (call.outcome()) {
            case COMPLETED, CANCELLED_BY_FORCE -> Forced.COMPLETED;
            case FAILED ->
                call.failure()
                                .filter(UnsupportedOperationException.class::isInstance)
                                .isPresent()
                        ? Forced.UNAVAILABLE
                        : Forced.FAILED;
            case PANICKED -> Forced.FAILED;
            case TIMED_OUT, RETAINED, NOT_OWNED -> Forced.TIMED_OUT;
        };
    }

    /// What its calls threw, in the order of the phases.
    List<Throwable> failures() {
        var thrown = new ArrayList<Throwable>();
        calls.values().forEach(call -> call.failure().ifPresent(thrown::add));
        if (forceOutcome() == Forced.FAILED) {
            force().flatMap(HookCall::failure).ifPresent(thrown::add);
        }
        var unknown = evidenceFailure;
        if (unknown != null) {
            thrown.add(unknown);
        }
        return thrown;
    }

    private List<String> failureLines() {
        return failures().stream().map(Tracked::line).toList();
    }

    static String line(Throwable thrown) {
        var stack = thrown.getStackTrace();
        return oneLine(thrown.toString()) + (stack.length == 0 ? "" : " (at " + stack[0] + ")");
    }

    static String oneLine(String text) {
        return text.replaceAll("\\s*\\R\\s*", " ");
    }
}
