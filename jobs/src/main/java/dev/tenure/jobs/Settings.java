package dev.tenure.jobs;

import dev.tenure.jobs.internal.table.Worker;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/// What a worker was built with.
record Settings(String owner, Map<String, Registration<?>> registrations, Rhythm rhythm, int concurrency) {
    Settings {
        registrations = Map.copyOf(registrations);
    }

    Worker worker() {
        Map<String, Integer> attempts = registrations.values().stream()
                .collect(Collectors.toMap(
                        each -> each.type().name(), each -> each.policy().attemptsMax()));
        return new Worker(owner, attempts, rhythm.window());
    }

    Registration<?> registration(String type) {
        return Objects.requireNonNull(registrations.get(type), type);
    }

    /// How often the worker looks and gives signs of life.
    record Rhythm(Duration poll, Duration heartbeat, Duration window) {}
}
