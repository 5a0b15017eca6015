package dev.tenure.testkit;

import dev.tenure.testkit.Strike.Plan;
import dev.tenure.testkit.Trials.Trial;
import dev.tenure.testkit.internal.engine.Broken;
import dev.tenure.testkit.internal.engine.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Looks for the simplest run that breaks the same law of the same resource: with the fewest preemptions,
/// and with one fault that strikes once, or with none.
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

    private static final String FIFO = "fifo";
    private static final int PAIRED_MAX = 24;

    private final Trials trials;
    private final Guard guard;

    Shrink(Trials trials, Guard guard) {
        this.trials = trials;
        this.guard = guard;
    }

    /// Preemptions first, then the second fault, then its staying, then the fault itself; and preemptions once more, of
    /// which fewer may do by then.
    Case of(Broken violation, Case found, Trial trial) {
        Case now = found;
        List<int[]> switches = trial.run().switches();
        if (!now.schedule().equals(FIFO)) {
            now = schedule(violation, now, switches);
        }
        Case simpler = faults(violation, now);
        boolean again =
                !simpler.plan().equals(now.plan()) && !simpler.schedule().equals(FIFO);
        return again ? schedule(violation, simpler, switches) : simpler;
    }

    /// The smallest list of preemptions that still shows it: none, one, two; else one of which none can be left out.
    private Case schedule(Broken violation, Case found, List<int[]> switches) {
        Case all = listed(found, switches);
        if (!shows(violation, all)) {
            return found;
        }
        for (List<int[]> few : few(switches)) {
            Case tried = listed(found, few);
            if (shows(violation, tried)) {
                return tried;
            }
        }
        return listed(found, withoutIdle(violation, found, switches));
    }

    private static Case listed(Case found, List<int[]> switches) {
        return new Case(found.plan(), Token.decided(switches));
    }

    private static List<List<int[]>> few(List<int[]> switches) {
        var few = new ArrayList<List<int[]>>();
        few.add(List.of());
        switches.forEach(one -> few.add(List.of(one)));
        if (switches.size() <= PAIRED_MAX) {
            for (int i = 0; i < switches.size(); i++) {
                for (int j = i + 1; j < switches.size(); j++) {
                    few.add(List.of(switches.get(i), switches.get(j)));
                }
            }
        }
        return few;
    }

    private List<int[]> withoutIdle(Broken violation, Case found, List<int[]> switches) {
        var left = new ArrayList<>(switches);
        boolean shorter = true;
        while (shorter) {
            shorter = false;
            for (int i = left.size() - 1; i >= 0; i--) {
                int[] dropped = left.remove(i);
                if (shows(violation, listed(found, left))) {
                    shorter = true;
                } else {
                    left.add(i, dropped);
                }
            }
        }
        return left;
    }

    private Case faults(Broken violation, Case found) {
        for (Plan simpler : found.plan().simpler()) {
            var tried = new Case(simpler, found.schedule());
            if (shows(violation, tried)) {
                return tried;
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
