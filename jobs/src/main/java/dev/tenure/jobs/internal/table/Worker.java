package dev.tenure.jobs.internal.table;

import java.time.Duration;
import java.util.Map;

/// Who claims, and what it may claim.
///
/// @param owner the name in its claims, not used by any other worker
/// @param attemptsMax the types it handles, each with the number of attempts after which a job is dead
/// @param window a claim whose heartbeat is older than this is free
public record Worker(String owner, Map<String, Integer> attemptsMax, Duration window) {
    /// Copies the map.
    public Worker {
        attemptsMax = Map.copyOf(attemptsMax);
    }
}
