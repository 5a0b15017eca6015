package dev.tenure.examples.photos;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Numbers with units as people type them: `25s`, `15m`, `32MiB`.
final class Quantities {
    private static final Pattern WITH_UNIT = Pattern.compile("(\\d{1,15})([A-Za-z]*)");
    private static final Map<String, Long> TIMES =
            Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
    private static final Map<String, Long> SIZES = Map.of(
            "",
            1L,
            "B",
            1L,
            "KiB",
            1L << 10,
            "MiB",
            1L << 20,
            "GiB",
            1L << 30,
            "kB",
            1_000L,
            "MB",
            1_000_000L,
            "GB",
            1_000_000_000L);

    private Quantities() {}

    static int number(String key, String value, int least, int most) {
        return (int) between(key, value, Map.of("", 1L), new Range(least, most, Long::toString));
    }

    static Duration time(String key, String value, Duration least, Duration most) {
        return Duration.ofMillis(
                between(key, value, TIMES, new Range(least.toMillis(), most.toMillis(), Quantities::timeText)));
    }

    static Size size(String key, String value, long least, long most) {
        return new Size(between(key, value, SIZES, new Range(least, most, Quantities::bytesText)), sizeWords(value));
    }

    /// A size, and how its author wrote it.
    ///
    /// @param bytes how much
    /// @param words number and unit
    record Size(long bytes, String words) {
        @Override
        public String toString() {
            return words;
        }
    }

    private static String sizeWords(String value) {
        String unit = value.replaceAll("[0-9]", "");
        String number = value.substring(0, value.length() - unit.length());
        return number + " " + (unit.isEmpty() || unit.equals("B") ? "bytes" : unit);
    }

    private record Range(long least, long most, LongFunction<String> text) {
        String words() {
            return text.apply(least) + " to " + text.apply(most);
        }
    }

    private static long between(String key, String value, Map<String, Long> units, Range range) {
        var found = WITH_UNIT.matcher(value);
        if (found.matches() && units.containsKey(found.group(2))) {
            long unit = units.get(found.group(2));
            long count = Long.parseLong(found.group(1));
            if (count <= Long.MAX_VALUE / unit && count * unit >= range.least() && count * unit <= range.most()) {
                return count * unit;
            }
        }
        throw ConfigurationError.of(key, value, range.words() + unitWords(found, units));
    }

    /// What is wrong with the unit, if something is.
    private static String unitWords(Matcher found, Map<String, Long> units) {
        if (!found.matches() || units.containsKey(found.group(2))) {
            return "";
        }
        if (found.group(2).isEmpty()) {
            return "; the unit is missing, as in " + found.group(1) + "s";
        }
        var known = units.keySet().stream().filter(unit -> !unit.isEmpty()).sorted(Comparator.comparing(units::get));
        return known.collect(Collectors.joining(", ", "; the units are ", ""));
    }

    private static String timeText(long millis) {
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }

    /// A size as [Options] would take it.
    static String bytesText(long bytes) {
        long mebibytes = bytes >> 20;
        if (mebibytes << 20 == bytes && mebibytes > 0) {
            return mebibytes + "MiB";
        }
        return bytes % 1024 == 0 ? bytes / 1024 + "KiB" : bytes + "B";
    }
}
