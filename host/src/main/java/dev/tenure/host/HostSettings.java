package dev.tenure.host;

import dev.tenure.core.Observer;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// What a host was built with. Immutable.
record HostSettings(
        String name,
        DeploymentPolicy policy,
        Times times,
        boolean signals,
        Seams seams,
        List<Consumer<ShutdownReport>> reportTo) {
    /// How long what may last.
    record Times(Duration budget, Duration readinessDelay, Duration gateAge) {}

    /// Clock, timers, threads and the application's ear.
    record Seams(TimeSource time, Timers timers, Threads threads, Observer observer) {}

    Duration budget() {
        return times.budget();
    }

    Duration readinessDelay() {
        return times.readinessDelay();
    }

    Duration gateAge() {
        return times.gateAge();
    }

    boolean isIsolated() {
        return policy == DeploymentPolicy.REQUEST_ISOLATED;
    }

    TimeSource time() {
        return seams.time();
    }

    Timers timers() {
        return seams.timers();
    }

    Threads threads() {
        return seams.threads();
    }

    /// The application's ear, whose failures stay its own.
    Observer observer() {
        return seams.observer();
    }
}
