package dev.tenure.testkit;

import dev.tenure.testkit.Strike.Plan;
import dev.tenure.testkit.Trials.Trial;
import dev.tenure.testkit.internal.engine.Broken;
import dev.tenure.testkit.internal.engine.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/// Looks for the simplest run that breaks the same law of the same resource: without preemptions, with
/// one fault.
final class Shrink {
    /// A run, before it is a token.
    ///
    /// @param plan its faults
    /// @param schedule its schedule
    record Case(Plan plan, String schedule) {}

    /// Runs something on a clean thread.
    interface Guard {
        Trial run(Supplier<Trial> body);
    }

    private final Trials trials;
    private final Guard guard;

    Shrink(Trials trials, Guard guard) {
        this.trials = trials;
        this.guard = guard;
    }

    Case of(Broken violation, Case found, Trial trial) {
        Case now = found;
        if (!now.schedule().equals("fifo")) {
            now = schedule(violation, now, trial.run().switches());
        }
        if (now.plan().second().isPresent()) {
            now = faults(violation, now);
        }
        return now;
    }

    private Case schedule(Broken violation, Case found, List<int[]> switches) {
        var listed = new Case(found.plan(), Token.decided(switches));
        if (!shows(violation, listed)) {
            return found;
        }
        var left = new ArrayList<>(switches);
        boolean shorter = true;
        while (shorter) {
            shorter = false;
            for (int i = left.size() - 1; i >= 0; i--) {
                int[] dropped = left.remove(i);
                if (shows(violation, new Case(found.plan(), Token.decided(left)))) {
                    shorter = true;
                } else {
                    left.add(i, dropped);
                }
            }
        }
        return new Case(found.plan(), Token.decided(left));
    }

    private Case faults(Broken violation, Case found) {
        UnaryOperator<Plan> first = plan -> new Plan(plan.one(), null);
        UnaryOperator<Plan> other = plan -> new Plan(plan.other(), null);
        for (var kept : List.of(first, other)) {
            var simpler = new Case(kept.apply(found.plan()), found.schedule());
            if (shows(violation, simpler)) {
                return simpler;
            }
        }
        return found;
    }

    private boolean shows(Broken violation, Case tried) {
        Trial trial = guard.run(() -> trials.run(tried.plan(), Token.schedule(tried.schedule()), Run.Mode.FAST));
        return same(violation, trial).isPresent();
    }

    static Optional<Broken> same(Broken violation, Trial trial) {
        return trial.violations().stream()
                .filter(other -> other.oracle() == violation.oracle()
                        && other.law() == violation.law()
                        && other.resource().equals(violation.resource()))
                .findFirst();
    }
}
