package dev.tenure.host.internal;

import java.time.Duration;

/// Writes a duration as people do: `100 ms`, `25 s`, `24 h`.
///
/// **Threads:** any; no state.
public final class DurationText {
    private DurationText() {}

    /// Writes in the largest of hours, minutes, seconds and milliseconds that needs no fraction.
    ///
    /// @param duration any
    /// @return such as `90 min`, `-1 s`, `0 s`; in the form of ISO 8601 if it has parts of a millisecond
    public static String of(Duration duration) {
        if (duration.isZero()) {
            return "0 s";
        }
        if (duration.equals(Duration.ofHours(duration.toHours()))) {
            return duration.toHours() + " h";
        }
        if (duration.equals(Duration.ofMinutes(duration.toMinutes()))) {
            return duration.toMinutes() + " min";
        }
        if (duration.equals(Duration.ofSeconds(duration.toSeconds()))) {
            return duration.toSeconds() + " s";
        }
        var isWhole = duration.equals(Duration.ofMillis(duration.toMillis()));
        return isWhole ? duration.toMillis() + " ms" : duration.toString();
    }
}
