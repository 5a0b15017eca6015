package dev.tenure.testkit;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Outcome;
import dev.tenure.core.Task;
import dev.tenure.testkit.Trials.Trial;
import dev.tenure.testkit.internal.engine.Book;
import dev.tenure.testkit.internal.engine.Broken;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Looks at how a run ended: no failure may be lost, and the first one comes first (O9).
@SuppressWarnings("ReferenceEquality") // a failure is found again by identity
final class Judge {
    private Judge() {}

    static void look(Trial trial) {
        Throwable thrown = trial.thrown();
        Book book = trial.run().book();
        if (thrown instanceof AssertionError && !trial.strike().thrown().contains(thrown)) {
            book.violate(new Broken(
                    0, 0, "scenario", "the scenario's own check failed: " + thrown.getMessage(), "see the check"));
        }
        if (trial.run().isStuck()) {
            return;
        }
        for (Throwable injected : trial.strike().thrown()) {
            if (!isKnown(trial, injected)) {
                book.violate(new Broken(
                        9,
                        9,
                        "failure " + at(injected),
                        "'%s' was lost: the scenario %s".formatted(injected.getMessage(), ended(thrown)),
                        "let it out, or tell it by world.handled(failure)"));
            }
        }
    }

    private static String at(Throwable injected) {
        String message = String.valueOf(injected.getMessage());
        int from = message.indexOf(" at ");
        int to = message.indexOf('#');
        return message.substring(from + 1, to < 0 ? message.length() : to);
    }

    private static String ended(@Nullable Throwable thrown) {
        return thrown == null ? "returned as if nothing had happened" : "threw " + thrown;
    }

    private static boolean isKnown(Trial trial, Throwable injected) {
        Throwable thrown = trial.thrown();
        if (thrown == injected || (thrown != null && holds(thrown, injected))) {
            return true;
        }
        for (CloseReport report : trial.run().book().reports()) {
            for (var failure : report.failures()) {
                if (holds(failure.failure(), injected)) {
                    return true;
                }
            }
        }
        for (Throwable handled : trial.world().handledFailures()) {
            if (holds(handled, injected)) {
                return true;
            }
        }
        return isOutcome(trial, injected);
    }

    private static boolean isOutcome(Trial trial, Throwable injected) {
        for (Object one : trial.run().book().tasks()) {
            if (one instanceof Task<?> task
                    && task.isDone()
                    && task.join(Deadline.none()) instanceof Outcome.Failed<?> failed
                    && holds(failed.primary(), injected)) {
                return true;
            }
        }
        return false;
    }

    static boolean holds(Throwable outer, Throwable wanted) {
        return holds(outer, wanted, Collections.newSetFromMap(new IdentityHashMap<>(4)));
    }

    private static boolean holds(@Nullable Throwable outer, Throwable wanted, Set<Throwable> seen) {
        if (outer == null || !seen.add(outer)) {
            return false;
        }
        if (outer == wanted || holds(outer.getCause(), wanted, seen)) {
            return true;
        }
        for (Throwable suppressed : outer.getSuppressed()) {
            if (holds(suppressed, wanted, seen)) {
                return true;
            }
        }
        return false;
    }
}
