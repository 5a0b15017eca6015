package dev.tenure.jobs;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// A job to enqueue: a value that nobody owns until [Jobs#enqueue(dev.tenure.db.Transaction, Job)] took it.
///
/// **Threads:** immutable. **Limits:** a key has 1 to 200 characters; a delay is at most 365 days.
///
/// @param <T> the payload
/// @param type its kind
/// @param payload what it is about
/// @param uniqueKey while a job of this type and key waits, runs or is dead, another one is not enqueued
/// @param delay how long after the enqueue it becomes due
public record Job<T>(JobType<T> type, T payload, Optional<String> uniqueKey, Duration delay) {
    private static final int KEY_CHARACTERS_MAX = 200;
    private static final Duration DELAY_MAX = Duration.ofDays(365);

    /// Checks the limits.
    public Job {
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(payload, "payload");
        uniqueKey.ifPresent(Job::checkKey);
        if (delay.isNegative() || delay.compareTo(DELAY_MAX) > 0) {
            throw new IllegalArgumentException("job delay: " + delay + " (expected: 0 s to 365 d)");
        }
    }

    static <T> Job<T> due(JobType<T> type, T payload) {
        return new Job<>(type, payload, Optional.empty(), Duration.ZERO);
    }

    /// The same job with a unique key, by which it can be cancelled too.
    ///
    /// @param key unique among the unfinished jobs of the type
    /// @return the keyed job
    public Job<T> keyed(String key) {
        return new Job<>(type, payload, Optional.of(key), delay);
    }

    /// The same job, due later.
    ///
    /// @param wait how long after the enqueue
    /// @return the delayed job
    public Job<T> after(Duration wait) {
        return new Job<>(type, payload, uniqueKey, wait);
    }

    private static void checkKey(String key) {
        if (key.isEmpty() || key.length() > KEY_CHARACTERS_MAX) {
            throw new IllegalArgumentException(
                    "job key: '" + key + "' (expected: 1 to " + KEY_CHARACTERS_MAX + " characters)");
        }
    }
}
