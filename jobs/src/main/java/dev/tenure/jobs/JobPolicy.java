package dev.tenure.jobs;

import java.time.Duration;
import java.util.Objects;

/// How one type of job is tried, timed and stopped.
///
/// **Threads:** immutable. **Limits:** `attemptsMax` 1 to 1,000 (default 10); `runMax` 100 ms to 1 d (default 15 min);
/// `stopGrace` 0 to 1 h (default 5 s), clipped by the stop's force time.
///
/// @param attemptsMax after so many failed or crashed attempts the job is dead; one that a stop released does not count
/// @param backoff the wait between attempts
/// @param runMax after so long an attempt is cancelled, and failed unless it ends normally
/// @param stopGrace how long a stop lets a running attempt go on before it is cancelled and released
public record JobPolicy(int attemptsMax, Backoff backoff, Duration runMax, Duration stopGrace) {
    private static final int ATTEMPTS_MAX = 1_000;

    /// Checks the limits.
    public JobPolicy {
        Setting.between("job.attemptsMax", attemptsMax, 1, ATTEMPTS_MAX);
        Objects.requireNonNull(backoff, "backoff");
        Setting.between("job.runMax", runMax, Duration.ofMillis(100), Duration.ofDays(1));
        Setting.between("job.stopGrace", stopGrace, Duration.ZERO, Duration.ofHours(1));
    }

    /// The default policy.
    ///
    /// @return 10 attempts, standard backoff, 15 min a run, 5 s at a stop
    public static JobPolicy standard() {
        return new JobPolicy(10, Backoff.standard(), Duration.ofMinutes(15), Duration.ofSeconds(5));
    }

    /// The same with other attempts.
    ///
    /// @param most after so many the job is dead
    /// @return the changed policy
    public JobPolicy attemptsMax(int most) {
        return new JobPolicy(most, backoff, runMax, stopGrace);
    }

    /// The same with another backoff.
    ///
    /// @param waits the wait between attempts
    /// @return the changed policy
    public JobPolicy backoff(Backoff waits) {
        return new JobPolicy(attemptsMax, waits, runMax, stopGrace);
    }

    /// The same with another bound on one attempt.
    ///
    /// @param most after so long it is cancelled
    /// @return the changed policy
    public JobPolicy runMax(Duration most) {
        return new JobPolicy(attemptsMax, backoff, most, stopGrace);
    }

    /// The same with another grace at a stop.
    ///
    /// @param grace how long a running attempt may go on
    /// @return the changed policy
    public JobPolicy stopGrace(Duration grace) {
        return new JobPolicy(attemptsMax, backoff, runMax, grace);
    }
}
