package dev.tenure.testkit;

import dev.tenure.testkit.Strike.Plan;
import dev.tenure.testkit.Strike.Shot;
import dev.tenure.testkit.internal.engine.Path;
import dev.tenure.testkit.internal.engine.Points;
import dev.tenure.testkit.internal.engine.Schedule;
import dev.tenure.testkit.internal.engine.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a run is made of, as text: `own1:scenario:schedule:FAULT@path/kind/resource/side#n+second`;
/// `FAULT*` stays.
///
/// @param scenario the sweep's name
/// @param schedule `fifo`, `r` and a seed, `p` with seed and length, or `d` with decisions
/// @param targets the faults, in order
record Token(String scenario, String schedule, List<String> targets) {
    private static final String VERSION = "own1";

    /// After a fault that strikes at each occurrence from this one on.
    private static final String STAYS = "*";

    static Token of(String scenario, String schedule, List<String> targets) {
        return new Token(scenario, schedule, targets);
    }

    static Token parse(String text) {
        String[] parts = text.strip().split(":", -1);
        if (parts.length != 4 || !parts[0].equals(VERSION)) {
            throw new IllegalArgumentException(
                    "token: %s (expected: own1:scenario:schedule:FAULT@point, as a report prints it)".formatted(text));
        }
        var targets = parts[3].isEmpty() ? List.<String>of() : Arrays.asList(parts[3].split("\\+", -1));
        return new Token(Text.decoded(parts[1]), parts[2], targets);
    }

    @Override
    public String toString() {
        return String.join(":", VERSION, Text.encoded(scenario), schedule, String.join("+", targets));
    }

    static List<String> targets(Path root, Points points, Plan plan) {
        return Stream.of(plan.first(), plan.second())
                .flatMap(Optional::stream)
                .map(shot -> target(root, points, shot))
                .toList();
    }

    static String target(Path root, Points points, Shot shot) {
        int key = Path.key(shot.point());
        var parts = new ArrayList<>(root.of(shot.point()).names());
        parts.add(Text.encoded(points.kind(key)));
        parts.add(Text.encoded(points.resource(key)));
        parts.add(Text.encoded(points.side(key)));
        return shot.fault() + (shot.stays() ? STAYS : "") + "@" + String.join("/", parts) + "#"
                + Path.occurrence(shot.point());
    }

    Plan plan(Path root, Points points) {
        return new Plan(
                shot(root, points, 0).orElse(null), shot(root, points, 1).orElse(null));
    }

    private Optional<Shot> shot(Path root, Points points, int index) {
        if (index >= targets.size()) {
            return Optional.empty();
        }
        String target = targets.get(index);
        int at = target.indexOf('@');
        int mark = target.lastIndexOf('#');
        var parts = at < 0 || mark < at
                ? List.<String>of()
                : List.of(target.substring(at + 1, mark).split("/", -1));
        if (parts.size() < 3) {
            throw new IllegalArgumentException(
                    "token: %s (expected: FAULT@path/kind/resource/side#n)".formatted(target));
        }
        int last = parts.size() - 1;
        int key = points.id(
                Text.decoded(parts.get(last - 2)), Text.decoded(parts.get(last - 1)), Text.decoded(parts.get(last)));
        Path path = root.resolve(parts.subList(0, last - 2));
        int occurrence = Integer.parseInt(target.substring(mark + 1));
        String fault = target.substring(0, at);
        var shot = new Shot(Fault.valueOf(fault.replace(STAYS, "")), path.word(key, occurrence));
        return Optional.of(fault.endsWith(STAYS) ? shot.staying() : shot);
    }

    static Schedule schedule(String text) {
        String rest = text.substring(1);
        return switch (text.charAt(0)) {
            case 'f' -> Schedule.fifo();
            case 'r' -> Schedule.random(Long.parseLong(rest));
            case 'p' -> {
                String[] parts = rest.split("\\.", -1);
                yield Schedule.pct(Long.parseLong(parts[0]), Integer.parseInt(parts[1]));
            }
            case 'd' -> Schedule.listed(decisions(rest));
            default -> throw new IllegalArgumentException("schedule: %s (expected: fifo, r, p or d)".formatted(text));
        };
    }

    private static List<int[]> decisions(String text) {
        var pairs = new ArrayList<int[]>();
        for (String pair : text.isEmpty() ? new String[0] : text.split("\\.", -1)) {
            String[] parts = pair.split("-", -1);
            pairs.add(new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])});
        }
        return pairs;
    }

    static String decided(List<int[]> switches) {
        if (switches.isEmpty()) {
            return "fifo";
        }
        var text = new StringBuilder("d");
        for (int[] pair : switches) {
            text.append(text.length() == 1 ? "" : ".")
                    .append(pair[0])
                    .append('-')
                    .append(pair[1]);
        }
        return text.toString();
    }
}
