package dev.tenure.host;

import dev.tenure.core.Holder;
import dev.tenure.host.ShutdownReport.CallReport;
import dev.tenure.host.ShutdownReport.ComponentReport;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.host.ShutdownReport.PhaseReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/// The report as people read it.
final class ReportText {
    private static final int STACK_LINES_MAX = 12;

    private final ShutdownReport report;
    private final List<String> lines = new ArrayList<>();

    private ReportText(ShutdownReport report) {
        this.report = report;
    }

    static String of(ShutdownReport report) {
        var text = new ReportText(report);
        text.head();
        report.components().forEach(text::stillRunning);
        report.components().forEach(text::notClosed);
        report.components().forEach(text::failures);
        text.completed();
        report.phases().forEach(text::phase);
        report.components().stream()
                .filter(part -> part.outcome() == Outcome.NOT_OWNED)
                .forEach(part -> text.line("not owned", part.name() + ": lent to us, not closed by us"));
        text.left();
        return String.join("\n", text.lines);
    }

    private void head() {
        lines.add("%s stopped: %s in %s of %s, by %s%s%s"
                .formatted(
                        report.host(),
                        report.completion(),
                        millis(report.elapsed()),
                        millis(report.budget()),
                        report.trigger(),
                        report.forcedBy()
                                .filter(by -> !by.equals(report.trigger()))
                                .map(by -> ", forced by " + by)
                                .orElse(""),
                        report.exitCode() == 0 ? "" : ", exit code " + report.exitCode()));
    }

    private void stillRunning(ComponentReport part) {
        for (var holder : part.holders()) {
            if (holder.stack().isEmpty()) {
                continue;
            }
            line("still running", holder.what() + site(holder) + "  for " + age(holder.age()) + cancelled(holder));
            stack(holder.stack());
        }
    }

    /// From the application's first frame on; of what it called in the JDK, only what that was.
    private void stack(List<StackTraceElement> stack) {
        var above = jdkFramesAbove(stack);
        if (above > 0) {
            lines.add("      (%s, in %s)".formatted(plural(above, "JDK frame"), call(stack.get(above - 1))));
        }
        var shown = stack.subList(above, stack.size());
        shown.stream().limit(STACK_LINES_MAX).forEach(frame -> lines.add("      at " + frame));
        if (shown.size() > STACK_LINES_MAX) {
            lines.add("      ... " + (shown.size() - STACK_LINES_MAX) + " more");
        }
    }

    /// How many frames of the JDK stand above the application's: none if it has none itself.
    private static int jdkFramesAbove(List<StackTraceElement> stack) {
        var above = (int) stack.stream().takeWhile(ReportText::isJdk).count();
        return above == stack.size() ? 0 : above;
    }

    private static String call(StackTraceElement frame) {
        var type = frame.getClassName();
        return type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
    }

    private static boolean isJdk(StackTraceElement frame) {
        var type = frame.getClassName();
        return type.startsWith("java.") || type.startsWith("jdk.") || type.startsWith("sun.");
    }

    private void notClosed(ComponentReport part) {
        var silent = part.holders().stream()
                .filter(holder -> holder.stack().isEmpty())
                .toList();
        var isShown = silent.isEmpty() && !part.holders().isEmpty();
        if (part.outcome() == Outcome.RETAINED && !isShown) {
            line("retained", part.name() + ": " + heldBy(silent));
        } else if (part.outcome() == Outcome.TIMED_OUT) {
            line("timed out", part.name() + forced(part));
        }
    }

    /// In a report that is not complete, what did end.
    private void completed() {
        if (report.completion() == ShutdownReport.Completion.INCOMPLETE) {
            var ended = report.components().stream()
                    .map(ReportText::endedPart)
                    .filter(part -> !part.isEmpty())
                    .collect(Collectors.joining(", "));
            line("completed", ended.isEmpty() ? "nothing" : ended);
        }
    }

    private static String endedPart(ComponentReport part) {
        if (part.count("completed") > 0) {
            return "%s (%s of %s)"
                    .formatted(part.name(), grouped(part.count("completed")), grouped(part.count("admitted")));
        }
        var isAll = part.outcome() == Outcome.COMPLETED && part.count("admitted") == 0;
        return isAll ? part.name() : "";
    }

    private static String heldBy(List<Holder> holders) {
        return holders.isEmpty()
                ? "still in use"
                : holders.stream()
                        .map(holder -> holder.where() + " held by " + holder.what() + " for " + age(holder.age()))
                        .collect(Collectors.joining("; "));
    }

    private static String forced(ComponentReport part) {
        return switch (part.forced()) {
            case NOT_ATTEMPTED -> "";
            case UNAVAILABLE -> ": nothing can force it to end";
            case COMPLETED -> ": it was told to end at once";
            case FAILED -> ": telling it to end at once failed";
            case TIMED_OUT -> ": telling it to end at once has not returned";
        };
    }

    private void failures(ComponentReport part) {
        part.failures().forEach(failure -> line("failed", part.name() + ": " + failure));
    }

    private void phase(PhaseReport phase) {
        var did = phase.calls().stream()
                .map(call -> phrase(phase.phase(), call))
                .filter(phrase -> !phrase.isEmpty())
                .collect(Collectors.joining(phase.phase() == Phase.DISPOSE_DEPENDENCIES ? ", " : "; "));
        lines.add("  %-14s %8s%s"
                .formatted(name(phase.phase()), millis(phase.elapsed()), did.isEmpty() ? "" : "   " + did));
    }

    private String phrase(Phase phase, CallReport call) {
        var bad = call.outcome() == Outcome.COMPLETED ? "" : " " + words(call.outcome());
        var late = call.joinedLate()
                .map(after -> ", ended " + millis(after) + " later")
                .orElse("");
        var summary = call.summary().isEmpty() && phase == Phase.DRAIN_IN_FLIGHT
                ? report.component(call.component())
                        .map(part -> numbers(part.counts()))
                        .orElse("")
                : call.summary();
        if (!summary.isEmpty()) {
            return call.component() + bad + late + ": " + summary;
        }
        var isNews = phase == Phase.DISPOSE_DEPENDENCIES || !bad.isEmpty();
        return isNews ? call.component() + bad + late : "";
    }

    private static String numbers(Map<String, Long> counts) {
        return counts.entrySet().stream()
                .filter(count -> count.getValue() != 0)
                .map(count -> grouped(count.getValue()) + " " + count.getKey().replace('_', ' '))
                .collect(Collectors.joining(", "));
    }

    private void left() {
        var left = report.left();
        lines.add("  left: %s, %s, %s"
                .formatted(
                        plural(left.resources(), "resource"),
                        plural(left.threads(), "thread"),
                        plural(left.temporaryFiles(), "temporary file")));
    }

    private void line(String label, String text) {
        lines.add("  %-14s %s".formatted(label, text));
    }

    private static String site(Holder holder) {
        return holder.where().isEmpty() ? "" : "  in " + holder.where();
    }

    private static String cancelled(Holder holder) {
        return holder.cancelledAgo()
                .map(ago -> ", cancelled " + age(ago) + " ago")
                .orElse("");
    }

    private static String name(Phase phase) {
        return switch (phase) {
            case READINESS_DOWN -> "readiness down";
            case STOP_ADMISSION -> "stop admission";
            case DRAIN_IN_FLIGHT -> "drain";
            case DISPOSE_DEPENDENCIES -> "dispose";
            case FLUSH_TELEMETRY -> "telemetry";
        };
    }

    static String words(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static String plural(long count, String noun) {
        return grouped(count) + " " + noun + (count == 1 ? "" : "s");
    }

    private static String millis(Duration duration) {
        return grouped(duration.toMillis()) + " ms";
    }

    /// `0.2 s`, `2.0 s`, `61 s`: one decimal below ten seconds.
    private static String age(Duration age) {
        var tenths = age.toMillis() / 100;
        return tenths < 100 ? tenths / 10 + "." + tenths % 10 + " s" : grouped(age.toSeconds()) + " s";
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number).replace(',', ' ');
    }
}
