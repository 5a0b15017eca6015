package dev.tenure.host;

import dev.tenure.core.Holder;
import dev.tenure.host.Lifecycle.Request;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.ComponentReport;
import dev.tenure.host.ShutdownReport.Forced;
import dev.tenure.host.ShutdownReport.Left;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.host.ShutdownReport.PhaseReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Computes a report from what was recorded.
final class ReportMaker {
    private final HostSettings settings;
    private final Registry registry;
    private final Lifecycle lifecycle;

    ReportMaker(HostSettings settings, Registry registry, Lifecycle lifecycle) {
        this.settings = settings;
        this.registry = registry;
        this.lifecycle = lifecycle;
    }

    ShutdownReport make(Duration elapsed, List<PhaseReport> phases, boolean forced) {
        var components = components();
        return new ShutdownReport(
                settings.name(),
                completion(components, forced),
                lifecycle.request().map(Request::trigger).orElse("nobody"),
                lifecycle.force().map(Lifecycle.Force::by),
                elapsed,
                settings.budget(),
                phases,
                components,
                left(components));
    }

    private List<ComponentReport> components() {
        var components = new ArrayList<ComponentReport>();
        registry.all().stream()
                .map(Tracked::report)
                .filter(ReportMaker::isWorthTelling)
                .forEach(components::add);
        registry.borrowed().forEach(name -> components.add(plain(name, Outcome.NOT_OWNED, List.of())));
        var opening = registry.stillOpening();
        if (!opening.isEmpty()) {
            components.add(plain("start", Outcome.TIMED_OUT, opening));
        }
        return components;
    }

    private static ComponentReport plain(String name, Outcome outcome, List<Holder> holders) {
        return new ComponentReport(name, outcome, Forced.NOT_ATTEMPTED, Map.of(), holders, List.of());
    }

    /// What the host has by itself is told of only if there is something to tell.
    private static boolean isWorthTelling(ComponentReport part) {
        var ours = part.name().equals(Activities.NAME) || part.name().equals(StoppingPart.NAME);
        return !ours || part.count("admitted") != 0 || part.outcome() != Outcome.COMPLETED;
    }

    private Completion completion(List<ComponentReport> components, boolean forced) {
        if (components.stream().anyMatch(part -> !part.outcome().hasEnded())) {
            return Completion.INCOMPLETE;
        }
        var triggeredByFailure = lifecycle
                .request()
                .map(request -> request.reason().failure() != null)
                .orElse(false);
        if (triggeredByFailure || components.stream().anyMatch(ReportMaker::hasFailed)) {
            return Completion.FAILED;
        }
        return forced || lifecycle.force().isPresent() ? Completion.FORCED : Completion.GRACEFUL;
    }

    private static boolean hasFailed(ComponentReport part) {
        return part.outcome() == Outcome.FAILED || part.outcome() == Outcome.PANICKED || part.forced() == Forced.FAILED;
    }

    private Left left(List<ComponentReport> components) {
        var resources = components.stream()
                .mapToLong(part -> (part.outcome().hasEnded() ? 0 : 1) + part.count("resources_left"))
                .sum();
        var threads = registry.all().stream().mapToLong(Tracked::threadsLeft).sum()
                + registry.stillOpening().size();
        var files = components.stream()
                .mapToLong(part -> part.count("temp_files_left"))
                .sum();
        return new Left(resources, threads, files);
    }
}
