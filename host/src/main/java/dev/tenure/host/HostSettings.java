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
        Duration budget,
        Duration readinessDelay,
        Duration gateAge,
        boolean signals,
        Seams seams,
        List<Consumer<ShutdownReport>> reportTo) {
    /// Clock, timers, threads and the application's ear.
    record Seams(TimeSource time, Timers timers, Threads threads, Observer observer) {}

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
