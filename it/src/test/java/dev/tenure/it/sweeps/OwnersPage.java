package dev.tenure.it.sweeps;

import dev.tenure.testkit.SweepReport;
import dev.tenure.testkit.SweepReport.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The owner tables of all sweeps as the page `docs/reference/owners.md`, without what changes from run to run.
final class OwnersPage {
    /// What no scope owns, by path and resource: what does, and why nothing is left.
    private static final Map<String, String> BLOCKS = Map.of(
            "activity cleanup: socket peer", "cleanup of the activity, registered before",
            "host stop: socket peer", "component of the host, which closes it in its phase");

    /// The same on every path.
    private static final Map<String, String> BLOCKS_EVERYWHERE =
            Map.of("sql statement", "try block of the callback; the lease closes what is left open");

    /// What the release of a type does, where no fake sees it.
    private static final Map<String, String> RELEASES = Map.of(
            "lent", "end of the loan, masked: the lease is its owner's again",
            "permit of connections of sim", "given to who waits longest, or counted as free, masked",
            "part file", "close and delete, masked");

    /// The scope of a transaction bears its number.
    private static final Pattern TRANSACTION = Pattern.compile("in sim-\\d+");

    private static final String UNNAMED = "the code that opened it";
    private static final String NOBODY = "nobody";
    private static final String RELEASE = "release, masked";

    private final StringBuilder text = new StringBuilder("""
            # Who owns what, by the sweeps

            Generated from runs, not written: each path below ran once without a fault and then with a fault
            at each of its points, and after each run everything had ended. A resource whose owner cannot be
            named fails the build.
            To make this page again: `./with25 mvn -pl it test -Dtest=ProductSweepTest -Downers.update=true`.

            "Worst" is the worst end over all runs: `published` is no longer ours, `failed` means that its
            release threw and that it ended, `unknown` that a commit got no answer, so that a reclaimer decides.
            """);
    private final List<String> unnamed = new ArrayList<>();
    private final List<String> vague = new ArrayList<>();

    void add(String title, SweepReport report) {
        text.append("\n## ").append(title).append("\n\n");
        text.append(
                "%d points, %d kinds of fault.\n\n".formatted(report.points().size(), report.faults()));
        text.append("| Resource | Owner | Transfer event | Cleanup action | Worst |\n|---|---|---|---|---|\n");
        for (Row row : report.ownerTable().rows()) {
            if (row.points() == 0) {
                continue; // opened and ended before and after the scenario
            }
            text.append("| %s | %s | %s | %s | %s |\n"
                    .formatted(
                            row.resource(), owner(title, row), row.transferEvent(), cleanup(title, row), row.worst()));
        }
    }

    private String owner(String title, Row row) {
        String owners = Stream.of(row.owner().split(", "))
                .map(owner -> TRANSACTION.matcher(owner).replaceAll("in a transaction"))
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
        String named = Optional.ofNullable(
                        BLOCKS.getOrDefault(title + ": " + row.resource(), BLOCKS_EVERYWHERE.get(row.resource())))
                .map(block -> owners.replace(UNNAMED, block))
                .orElse(owners);
        if (named.contains(UNNAMED) || named.contains(NOBODY) || named.isBlank()) {
            unnamed.add(title + ": " + row.resource() + ": " + row.owner());
        }
        return named;
    }

    private String cleanup(String title, Row row) {
        String known = RELEASES.getOrDefault(row.resource(), RELEASE);
        String cleanup = row.cleanup().equals(RELEASE) ? known : row.cleanup();
        if (cleanup.equals(RELEASE) || cleanup.equals("none")) {
            vague.add(title + ": " + row.resource() + ": " + row.cleanup());
        }
        return cleanup;
    }

    /// Resources of which the page does not say how they end.
    List<String> vague() {
        return vague;
    }

    /// Resources without a named owner.
    List<String> unnamed() {
        return unnamed;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
