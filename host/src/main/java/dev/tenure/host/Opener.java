package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Reason;
import dev.tenure.host.internal.BudgetPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// Opens parts, and rolls everything back if one fails.
///
/// **Threads:** any. The coordinator waits for an opening in progress, so that what it opens is stopped like the
/// rest.
final class Opener {
    private static final Set<Phase> RETIRING =
            EnumSet.of(Phase.STOP_ADMISSION, Phase.DRAIN_IN_FLIGHT, Phase.DISPOSE_DEPENDENCIES);

    private final Host host;
    private final HostSettings settings;
    private final Lifecycle lifecycle;
    private final Registry registry;

    Opener(Host host, HostSettings settings, Lifecycle lifecycle, Registry registry) {
        this.host = host;
        this.settings = settings;
        this.lifecycle = lifecycle;
        this.registry = registry;
    }

    /// Opens a part for the host.
    ///
    /// @param rollsBack whether a failure stops the host, as it does while the host starts
    <T extends Component> T open(Part<T> part, boolean rollsBack) {
        var what = "part " + part.getClass().getName();
        var opening = registry.begin(what);
        T component;
        try {
            component = opened(what, part);
        } catch (Throwable failure) {
            registry.end(opening);
            if (rollsBack && !opening.nested()) {
                rollBack(failure);
            }
            throw unchecked(what, failure);
        }
        registry.end(opening);
        return component;
    }

    private <T extends Component> T opened(String what, Part<T> part) throws Exception {
        if (lifecycle.isStopping()) {
            throw new HostStopping(host, what);
        }
        T component = part.open(host);
        refuseWorker(component);
        if (!registry.register(tracked(component))) {
            throw retired(component, new HostStopping(host, what));
        }
        registry.refuseCycle();
        return component;
    }

    /// Opens a part for an activity, which owns it then.
    <T extends Component> T openIsolated(Part<T> part) throws Exception {
        T component = part.open(host);
        refuseWorker(component);
        return component;
    }

    /// In an isolated host nothing goes on after an activity, so what works by itself has no place in it.
    void refuseIsolated(String what) {
        if (settings.isIsolated()) {
            throw ConfigurationError.of(
                    "policy", settings.policy(), DeploymentPolicy.PERSISTENT + ", since " + what + " works by itself");
        }
    }

    /// What takes work in, or drains, works by itself: listeners and workers.
    private void refuseWorker(Component component) {
        var phases = component.phases();
        if (phases.contains(Phase.STOP_ADMISSION) || phases.contains(Phase.DRAIN_IN_FLIGHT)) {
            try {
                refuseIsolated(component.name());
            } catch (ConfigurationError refused) {
                throw retired(component, refused);
            }
        }
    }

    /// A component that cannot even say what it is ends at once.
    private Tracked tracked(Component component) {
        try {
            return new Tracked(component, false);
        } catch (RuntimeException broken) {
            throw retired(component, broken);
        }
    }

    /// Ends a component that the host does not take, in the order of the phases.
    private <X extends RuntimeException> X retired(Component component, X refusal) {
        var reason = lifecycle
                .request()
                .map(Lifecycle.Request::reason)
                .orElse(Reason.of(Reason.Kind.CLOSE, "a failed start"));
        var stop = new LateStop(Deadline.in(reserve(), settings.time()), reason);
        for (var phase : RETIRING) {
            try {
                if (component.phases().contains(phase)) {
                    component.enter(phase, stop);
                }
            } catch (Exception | Error failure) {
                refusal.addSuppressed(failure);
            }
        }
        return refusal;
    }

    private Duration reserve() {
        var plan = BudgetPlan.of(settings.budget());
        return Duration.ofNanos(plan.totalNanos() - plan.forceAtNanos());
    }

    private void rollBack(Throwable failure) {
        if (failure instanceof HostStopping) {
            return;
        }
        lifecycle.requestStop(
                "a failed start: " + Tracked.oneLine(failure.toString()),
                new Reason(Reason.Kind.CLOSE, "a failed start", failure));
        lifecycle.awaitEnded(Deadline.none());
        lifecycle.ended().join().failures().stream()
                .filter(other -> !other.equals(failure))
                .forEach(failure::addSuppressed);
    }

    private RuntimeException unchecked(String what, Throwable failure) {
        return switch (failure) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            case IOException e -> new UncheckedIOException(message(what, e), e);
            case InterruptedException e -> {
                Thread.currentThread().interrupt();
                yield new IllegalStateException(message(what, e), e);
            }
            default -> new IllegalStateException(message(what, failure), failure);
        };
    }

    private String message(String what, Throwable failure) {
        return "host '%s': %s could not be opened: %s".formatted(settings.name(), what, failure.getMessage());
    }

    /// What a part that came too late is told.
    record LateStop(Deadline deadline, Reason reason) implements Stop {
        @Override
        public Deadline forceAt() {
            return deadline;
        }

        @Override
        public Deadline budget() {
            return deadline;
        }

        @Override
        public boolean forced() {
            return true;
        }
    }
}
