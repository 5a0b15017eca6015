package dev.tenure.testkit;

import dev.tenure.testkit.internal.engine.Broken;
import dev.tenure.testkit.internal.engine.Stat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What a sweep found: evidence, not a wish.
///
/// **Threads:** immutable.
///
/// @param scenario the sweep's name
/// @param points the points of the run without faults, in order, each with its occurrence
/// @param faults how many kinds of fault meant something at one of them
/// @param runs how many times the scenario ran
/// @param failed how many of the runs broke a law
/// @param failures one for each law broken by a resource, with the simplest run that shows it
/// @param ownerTable who owned what, and how it ended
/// @param notes what was left out, and how many schedules were exhausted
/// @param events what happened in the run of a token; empty unless this is a replay
/// @param elapsed how long it took
public record SweepReport(
        String scenario,
        List<String> points,
        int faults,
        long runs,
        long failed,
        List<Failure> failures,
        OwnerTable ownerTable,
        List<String> notes,
        List<String> events,
        Duration elapsed) {
    /// Copies the lists.
    public SweepReport {
        points = List.copyOf(points);
        failures = List.copyOf(failures);
        notes = List.copyOf(notes);
        events = List.copyOf(events);
    }

    /// A law that was broken.
    ///
    /// @param oracle who saw it: 1 to 13 as in the README, 0 for a check of the scenario's own
    /// @param law the law, 1 to 10, 0 if there is none
    /// @param resource what it is about
    /// @param message what happened
    /// @param advice what to do about it
    /// @param point where the first fault struck, empty without one
    /// @param token gives the same run again
    /// @param events the last of what happened
    public record Failure(
            int oracle,
            int law,
            String resource,
            String message,
            String advice,
            String point,
            String token,
            List<String> events) {
        /// Copies the list.
        public Failure {
            events = List.copyOf(events);
        }

        static Failure of(Broken violation, String point, String token, List<String> events) {
            int from = Math.max(0, events.size() - 20);
            return new Failure(
                    violation.oracle(),
                    violation.law(),
                    violation.resource(),
                    violation.message(),
                    violation.advice(),
                    point,
                    token,
                    events.subList(from, events.size()));
        }

        @Override
        public String toString() {
            String who = law == 0 ? "Check" : "Law " + law;
            String by = oracle == 0 ? "" : " (O" + oracle + ")";
            return "  %s: %s%s%n    fix: %s%n    replay: %s".formatted(who, message, by, advice, token);
        }
    }

    /// Who owned what.
    ///
    /// @param rows one for each kind of resource, by name
    public record OwnerTable(List<Row> rows) {
        /// Copies the list.
        public OwnerTable {
            rows = List.copyOf(rows);
        }

        static OwnerTable of(Iterable<Stat> stats) {
            var rows = new ArrayList<Row>();
            for (Stat stat : stats) {
                if (!stat.owners().isEmpty()) {
                    rows.add(Row.of(stat));
                }
            }
            return new OwnerTable(rows);
        }

        /// The table as Markdown.
        ///
        /// @return lines, the heading first
        public String markdown() {
            var text = new StringBuilder("""
                    | Resource | Owner | Transfer event | Cleanup action | Points | Injected | Worst outcome |
                    |---|---|---|---|---|---|---|
                    """);
            for (Row row : rows) {
                text.append("| %s | %s | %s | %s | %d | %d | %s |%n"
                        .formatted(
                                row.resource(),
                                row.owner(),
                                row.transferEvent(),
                                row.cleanup(),
                                row.points(),
                                row.injected(),
                                row.worst()));
            }
            return text.toString();
        }

        /// The table as JSON.
        ///
        /// @return an array of objects
        public String json() {
            var text = new StringBuilder("[");
            for (Row row : rows) {
                text.append(text.length() == 1 ? "\n" : ",\n")
                        .append("  {\"resource\": %s, \"owner\": %s, \"transferEvent\": %s, \"cleanup\": %s, "
                                .formatted(
                                        quoted(row.resource()),
                                        quoted(row.owner()),
                                        quoted(row.transferEvent()),
                                        quoted(row.cleanup())))
                        .append("\"points\": %d, \"injected\": %d, \"worst\": %s}"
                                .formatted(row.points(), row.injected(), quoted(row.worst())));
            }
            return text.append("\n]\n").toString();
        }

        private static String quoted(String text) {
            return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
        }
    }

    /// A row of the owner table.
    ///
    /// @param resource the kind of resource
    /// @param owner who owned it
    /// @param transferEvent by what it changed its owner, or `none`
    /// @param cleanup how it ended
    /// @param points at how many points it was live
    /// @param injected how many faults met it live
    /// @param worst the worst of its ends, over all runs
    public record Row(
            String resource,
            String owner,
            String transferEvent,
            String cleanup,
            int points,
            int injected,
            String worst) {
        private static Row of(Stat stat) {
            return new Row(
                    stat.resource(),
                    String.join(", ", stat.owners()),
                    stat.events().isEmpty() ? "none" : String.join(", ", stat.events()),
                    stat.cleanups().isEmpty() ? "none" : String.join(", ", stat.cleanups()),
                    stat.points(),
                    stat.injected(),
                    stat.worst().name().toLowerCase(Locale.ROOT));
        }
    }

    /// Passes if no law was broken.
    ///
    /// @return this
    /// @throws AssertionError with the report as its message
    public SweepReport assertClean() {
        if (!failures.isEmpty()) {
            throw new AssertionError(toString());
        }
        return this;
    }

    /// The failure that an oracle saw, if it saw one.
    ///
    /// @param oracle its number
    /// @return the first
    public Optional<Failure> seenBy(int oracle) {
        return failures.stream().filter(failure -> failure.oracle() == oracle).findFirst();
    }

    @Override
    public String toString() {
        var text = new StringBuilder("%s: %d points, %d faults, %s runs in %d ms: %s"
                .formatted(
                        scenario,
                        points.size(),
                        faults,
                        "%,d".formatted(runs).replace(',', ' '),
                        elapsed.toMillis(),
                        failed == 0 ? "clean" : failed + " failed"));
        notes.forEach(note -> text.append("\n  ").append(note));
        failures.forEach(failure -> text.append('\n').append(failure));
        return text.toString();
    }
}
