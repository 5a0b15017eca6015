package dev.tenure.host.internal;

import java.time.Duration;

/// Writes a duration as people do: `100 ms`, `25 s`, `24 h`.
///
/// **Threads:** any; no state.
public final class DurationText {
    private DurationText() {}

    /// Writes in the largest of hours, minutes, seconds, milliseconds and nanoseconds that needs no fraction.
    ///
    /// @param duration any
    /// @return such as `90 min`, `-1 s`, `0 s`
    public static String of(Duration duration) {
        if (duration.isZero()) {
            return "0 s";
        }
        if (duration.getNano() % 1_000_000 != 0) {
            return duration.toSeconds() == 0 ? duration.getNano() + " ns" : duration.toString();
        }
        if (duration.getNano() != 0) {
            return duration.toMillis() + " ms";
        }
        var seconds = duration.toSeconds();
        if (seconds % 3_600 == 0) {
            return seconds / 3_600 + " h";
        }
        return seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
    }
}
