package dev.tenure.it.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// The table of mutants, as text and on its page.
///
/// @param rows one for each mutant
record MutantsPage(List<Row> rows) {
    /// @param units what the core's unit tests say: killed, missed, or `?` before they were asked
    record Row(String mutant, String what, String where, String oracle, String units) {}

    private static final Path PAGE = Path.of("").toAbsolutePath().getParent().resolve("docs/reference/mutants.md");
    private static final Pattern ROW =
            Pattern.compile("\\| `([^`]*)` \\| ([^|]*) \\| `([^`]*)` \\| ([^|]*) \\| ([^|]*) \\|\n");

    static MutantsPage of(List<Mutant> mutants) {
        return new MutantsPage(mutants.stream()
                .map(one -> new Row(
                        one.name(),
                        one.what(),
                        one.type() + "." + one.methods().replace("|", ", "),
                        "O" + one.oracle() + ", " + one.scenario(),
                        "?"))
                .toList());
    }

    static MutantsPage committed() throws IOException {
        return new MutantsPage(ROW.matcher(Files.readString(PAGE))
                .results()
                .map(found -> new Row(found.group(1), found.group(2), found.group(3), found.group(4), found.group(5)))
                .toList());
    }

    MutantsPage withoutUnits() {
        return withUnits(Map.of());
    }

    MutantsPage withUnits(Map<String, String> units) {
        return new MutantsPage(rows.stream()
                .map(row -> new Row(row.mutant, row.what, row.where, row.oracle, units.getOrDefault(row.mutant, "?")))
                .toList());
    }

    Map<String, String> units() {
        var units = new TreeMap<String, String>();
        rows.forEach(row -> units.put(row.mutant, row.units));
        return units;
    }

    /// Writes the table into the page, in the place of the one there.
    void write() throws IOException {
        var text = new StringBuilder();
        for (Row row : rows) {
            text.append("| `%s` | %s | `%s` | %s | %s |\n"
                    .formatted(row.mutant, row.what, row.where, row.oracle, row.units));
        }
        String page = Files.readString(PAGE);
        String head = page.substring(0, page.indexOf("|---|---|---|---|---|\n") + "|---|---|---|---|---|\n".length());
        String tail = page.substring(page.indexOf("\n## How it is made"));
        Files.writeString(PAGE, head + text + tail);
    }
}
