package dev.tenure.jobs;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;
import java.util.SplittableRandom;

/// How long a failed job waits before its next attempt: exponential, capped, with jitter.
///
/// A pure function of attempt and seed, so that a test or a replay gets the same waits.
///
/// **Threads:** immutable. **Limits:** `first` 1 ms to 1 d, `factor` 1 to 10, `most` from `first` to 7 d, `jitter` 0 to
/// 1.
///
/// @param first the wait after the first failure
/// @param factor by how much each further wait grows
/// @param most no wait is longer
/// @param jitter the share of a wait that is random; the wait is never longer for it
public record Backoff(Duration first, double factor, Duration most, double jitter) {
    private static final Duration FIRST_MAX = Duration.ofDays(1);
    private static final Duration MOST_MAX = Duration.ofDays(7);
    private static final double FACTOR_MAX = 10;

    /// Checks the limits.
    public Backoff {
        Setting.between("backoff.first", first, Duration.ofMillis(1), FIRST_MAX);
        Setting.between("backoff.most", most, first, MOST_MAX);
        if (!(factor >= 1 && factor <= FACTOR_MAX)) {
            throw ConfigurationError.of("backoff.factor", factor, "1 to 10");
        }
        if (!(jitter >= 0 && jitter <= 1)) {
            throw ConfigurationError.of("backoff.jitter", jitter, "0 to 1");
        }
    }

    /// The default: 1 s, doubled up to 5 min, half of it random.
    ///
    /// @return the default
    public static Backoff standard() {
        return new Backoff(Duration.ofSeconds(1), 2, Duration.ofMinutes(5), 0.5);
    }

    /// The same wait each time, without jitter.
    ///
    /// @param wait the wait
    /// @return the backoff
    public static Backoff fixed(Duration wait) {
        return new Backoff(wait, 1, wait, 0);
    }

    /// The wait after a failed attempt.
    ///
    /// @param attempt which attempt failed, from 1
    /// @param seed decides the random share
    /// @return the wait, at least 1 ms
    public Duration after(int attempt, long seed) {
        double grown = (double) first.toMillis() * Math.pow(factor, Math.max(0, attempt - 1));
        double full = Math.min(grown, (double) most.toMillis());
        double random = new SplittableRandom(seed * 31 + attempt).nextDouble();
        return Duration.ofMillis(Math.max(1, Math.round(full * (1 - jitter * random))));
    }
}
