package dev.tenure.jobs;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;

/// Range checks whose refusal names key, value and range.
final class Setting {
    private Setting() {}

    static Duration between(String key, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw ConfigurationError.of(key, text(value), text(least) + " to " + text(most));
        }
        return value;
    }

    static int between(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw ConfigurationError.of(key, value, least + " to " + most);
        }
        return value;
    }

    private static String text(Duration value) {
        return value.toMillis() % 1000 == 0 ? value.toSeconds() + " s" : value.toMillis() + " ms";
    }
}
