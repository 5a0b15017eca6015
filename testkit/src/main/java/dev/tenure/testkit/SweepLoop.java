package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.testkit.Strike.Plan;
import dev.tenure.testkit.Strike.Seen;
import dev.tenure.testkit.Strike.Shot;
import dev.tenure.testkit.Trials.Trial;
import dev.tenure.testkit.internal.engine.Broken;
import dev.tenure.testkit.internal.engine.Path;
import dev.tenure.testkit.internal.engine.Run;
import dev.tenure.testkit.internal.engine.Schedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/// The order of a sweep: no fault, one fault at each point, other schedules, all schedules, two faults.
final class SweepLoop {
    private static final int SECONDS_FOR_EACH_FIRST = 8;

    private final Sweep sweep;
    private final Trials trials;
    private final SplittableRandom random;
    private final Deadline limit;
    private final long started = TimeSource.system().nanos();
    private final Map<String, SweepReport.Failure> failures = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private final Set<Fault> used = EnumSet.noneOf(Fault.class);
    private long runs;
    private long failed;
    private boolean again = true;

    SweepLoop(Sweep sweep, Trials trials) {
        this.sweep = sweep;
        this.trials = trials;
        this.random = new SplittableRandom(sweep.seed);
        this.limit = Deadline.in(sweep.budget);
    }

    SweepReport run() {
        Trial base = trial(Plan.NONE, "fifo", Run.Mode.TRACED);
        List<Seen> all = base.strike().points();
        var texts = all.stream().map(seen -> trials.text(seen.point())).toList();
        if (isSound(base)) {
            List<Seen> folded = folded(all);
            List<Shot> shots = singles(folded);
            if (base.run().isConcurrent()) {
                otherSchedules(base.run().decisions());
            }
            if (sweep.preemptions >= 0) {
                exhaust();
            }
            pairs(shots);
        }
        return report(texts, List.of());
    }

    SweepReport replay(Token token) {
        guarded(() -> trials.run(Plan.NONE, Schedule.fifo(), Run.Mode.TRACED));
        var plan = token.plan(trials.root(), trials.points());
        Trial told = trial(plan, token.schedule(), Run.Mode.TOLD);
        if (plan.first().isPresent() && !told.run().firstFired()) {
            notes.add("the fault did not strike: the scenario has changed since the token was made");
        }
        return report(List.of(), told.run().events());
    }

    private SweepReport report(List<String> points, List<String> events) {
        return new SweepReport(
                sweep.name,
                points,
                used.size(),
                runs,
                failed,
                List.copyOf(failures.values()),
                SweepReport.OwnerTable.of(trials.stats().values()),
                notes,
                events,
                Duration.ofNanos(TimeSource.system().nanos() - started));
    }

    // ---- the parts ----

    /// Without faults the scenario must end well, twice the same way; else nothing else would mean
    /// anything.
    private boolean isSound(Trial base) {
        if (base.thrown() != null && base.violations().isEmpty()) {
            fail(
                    new Broken(
                            0,
                            0,
                            "scenario",
                            "it fails without any fault: " + base.thrown(),
                            "repair the scenario first"),
                    Plan.NONE,
                    "fifo");
        }
        if (base.run().isStuck() || base.thrown() != null) {
            return false;
        }
        Trial twin = trial(Plan.NONE, "fifo", Run.Mode.FAST);
        if (twin.run().hash() != base.run().hash()) {
            fail(
                    new Broken(
                            0,
                            0,
                            "scenario",
                            "two runs without faults differ",
                            "take time, chance and threads from the world alone"),
                    Plan.NONE,
                    "fifo");
            return false;
        }
        Trial second = guarded(() -> trials.again(twin.world()));
        if (second.thrown() != null || !second.violations().isEmpty()) {
            again = false;
            notes.add("O13 is off: the scenario does not run twice on the same fakes: "
                    + (second.thrown() != null
                            ? second.thrown()
                            : second.violations().getFirst().message()));
        }
        return true;
    }

    private List<Shot> singles(List<Seen> points) {
        var shots = new ArrayList<Shot>();
        for (Seen seen : points) {
            for (Fault fault : seen.faults()) {
                if (sweep.faults.contains(fault) && isInTime("faults")) {
                    var shot = new Shot(fault, seen.point());
                    shots.add(shot);
                    used.add(fault);
                    single(shot);
                }
            }
        }
        return shots;
    }

    /// Once, and, where its point comes again, from then on.
    private void single(Shot shot) {
        Trial trial = trial(new Plan(shot, null), "fifo", Run.Mode.FAST);
        boolean comesAgain = trial.run().recurred();
        if (again && trial.violations().isEmpty() && !trial.run().isStuck()) {
            Trial after = guarded(() -> trials.again(trial.world()));
            if (after.thrown() != null || !after.violations().isEmpty()) {
                failed++;
                fail(
                        new Broken(
                                13,
                                2,
                                "scenario",
                                "a clean run on the same fakes fails afterwards: "
                                        + (after.thrown() != null
                                                ? after.thrown()
                                                : after.violations().getFirst().message()),
                                "give back what was taken in the state it had"),
                        new Plan(shot, null),
                        "fifo");
            }
        }
        if (sweep.staying && comesAgain && shot.canStay()) {
            trial(new Plan(shot.staying(), null), "fifo", Run.Mode.FAST);
        }
    }

    private void otherSchedules(int steps) {
        for (int n = 1; n < sweep.schedules && isInTime("schedules"); n++) {
            long seed = sweep.seed * 1_000_003 + n;
            String schedule = n % 3 == 0 ? "p" + seed + "." + steps : "r" + seed;
            Trial base = trial(Plan.NONE, schedule, Run.Mode.TRACED);
            if (base.run().isStuck()) {
                continue;
            }
            int at = n;
            for (Seen seen : folded(base.strike().points())) {
                Fault fault = at++ % 4 == 0 ? anyOf(seen.faults()) : Fault.CANCEL;
                if (seen.faults().contains(fault) && sweep.faults.contains(fault) && isInTime("schedules")) {
                    trial(new Plan(new Shot(fault, seen.point()), null), schedule, Run.Mode.FAST);
                }
            }
        }
    }

    /// At some points of closers no fault means anything: cancel stands for it, and is not possible there either.
    private Fault anyOf(Set<Fault> faults) {
        var list = List.copyOf(faults);
        return list.isEmpty() ? Fault.CANCEL : list.get(random.nextInt(list.size()));
    }

    private void exhaust() {
        var all = new Schedule.Exhaustive(sweep.preemptions);
        long count = 0;
        boolean more = true;
        while (more && isInTime("schedules with at most %d preemptions".formatted(sweep.preemptions))) {
            Trial trial = guarded(() -> trials.run(Plan.NONE, all, Run.Mode.FAST));
            count++;
            runs++;
            judge(trial, Plan.NONE, Token.decided(trial.run().switches()));
            more = all.advance();
        }
        notes.add("%s%,d schedules with at most %d preemptions"
                .formatted(more ? "first " : "exhausted: all ", count, sweep.preemptions)
                .replace(',', ' '));
    }

    private void pairs(List<Shot> shots) {
        int left = shots.isEmpty() ? 0 : sweep.pairs;
        for (int barren = 0; left > 0 && barren < 100 && isInTime("pairs"); barren++) {
            Shot first = nowAndThenStaying(shots.get(random.nextInt(shots.size())));
            Trial traced = trial(new Plan(first, null), "fifo", Run.Mode.TRACED);
            List<Seen> later = traced.strike().points();
            for (int i = 0; i < SECONDS_FOR_EACH_FIRST && left > 0 && !later.isEmpty(); i++) {
                Seen seen = later.get(random.nextInt(later.size()));
                Fault fault = anyOf(seen.faults());
                if (seen.faults().contains(fault) && sweep.faults.contains(fault)) {
                    barren = 0;
                    left--;
                    var second = nowAndThenStaying(new Shot(fault, seen.point()));
                    trial(new Plan(first, second), "fifo", Run.Mode.FAST);
                }
            }
        }
    }

    private Shot nowAndThenStaying(Shot shot) {
        return sweep.staying && shot.canStay() && random.nextInt(4) == 0 ? shot.staying() : shot;
    }

    private boolean isInTime(String what) {
        if (!limit.passed()) {
            return true;
        }
        String note = "the budget of %d ms ended among the %s".formatted(sweep.budget.toMillis(), what);
        if (!notes.contains(note)) {
            notes.add(note);
        }
        return false;
    }

    /// Of a point that repeats often the first two, the last two and two by chance.
    private List<Seen> folded(List<Seen> points) {
        var kinds = new LinkedHashMap<Long, List<Seen>>();
        for (Seen seen : points) {
            long kind = seen.point() - Path.occurrence(seen.point());
            kinds.computeIfAbsent(kind, _ -> new ArrayList<>()).add(seen);
        }
        if (kinds.values().stream().allMatch(list -> list.size() <= 6)) {
            return points;
        }
        var kept = new ArrayList<Seen>();
        for (var list : kinds.values()) {
            for (int i = 0; i < list.size(); i++) {
                boolean edge = i < 2 || i >= list.size() - 2;
                if (list.size() <= 6 || edge || random.nextInt(list.size() - 4) < 2) {
                    kept.add(list.get(i));
                }
            }
        }
        return kept;
    }

    // ---- one run ----

    private Trial trial(Plan plan, String schedule, Run.Mode mode) {
        Trial trial = guarded(() -> trials.run(plan, Token.schedule(schedule), mode));
        runs++;
        judge(trial, plan, schedule);
        return trial;
    }

    private void judge(Trial trial, Plan plan, String schedule) {
        boolean missed = (plan.first().isPresent() && !trial.run().firstFired())
                || (plan.second().isPresent() && !trial.run().secondFired());
        if (missed && !trial.run().isStuck()) {
            trial.run()
                    .book()
                    .violate(new Broken(
                            0,
                            0,
                            "scenario",
                            "a planned fault did not strike: the trace diverged",
                            "take time, chance and threads from the world alone"));
        }
        if (trial.violations().isEmpty()) {
            return;
        }
        failed++;
        for (Broken violation : List.copyOf(trial.violations())) {
            fail(violation, plan, schedule, trial);
        }
    }

    private void fail(Broken violation, Plan plan, String schedule) {
        fail(violation, plan, schedule, null);
    }

    private void fail(Broken violation, Plan plan, String schedule, @Nullable Trial trial) {
        String key = violation.oracle() + "/" + violation.law() + "/" + violation.resource();
        if (failures.size() >= 50 || (failures.containsKey(key) && !isBetter(violation, plan, failures.get(key)))) {
            return;
        }
        var simplest = trial == null
                ? new Shrink.Case(plan, schedule)
                : new Shrink(trials, this::guarded).of(violation, new Shrink.Case(plan, schedule), trial);
        Trial told = guarded(() -> trials.run(simplest.plan(), Token.schedule(simplest.schedule()), Run.Mode.TOLD));
        Trial twin = guarded(() -> trials.run(simplest.plan(), Token.schedule(simplest.schedule()), Run.Mode.FAST));
        if (twin.run().hash() != told.run().hash()) {
            notes.add("not repeatable: " + token(simplest));
        }
        String point =
                simplest.plan().first().map(shot -> trials.text(shot.point())).orElse("");
        Broken shown = Shrink.same(violation, told).orElse(violation);
        failures.put(
                key,
                SweepReport.Failure.of(shown, point, token(simplest), told.run().events()));
    }

    /// A value lost on a cancel is shown by a cancel, also where a throw loses it too.
    private static boolean isBetter(Broken violation, Plan plan, SweepReport.@Nullable Failure known) {
        return violation.law() == 6
                && known != null
                && plan.second().isEmpty()
                && plan.first()
                        .filter(shot -> shot.fault().name().startsWith("CANCEL"))
                        .isPresent()
                && !known.token().contains(":CANCEL");
    }

    private String token(Shrink.Case simplest) {
        var targets = Token.targets(trials.root(), trials.points(), simplest.plan());
        return Token.of(sweep.name, simplest.schedule(), targets).toString();
    }

    /// Runs on this thread, or on a fresh one once a run has left something in it.
    private Trial guarded(java.util.function.Supplier<Trial> body) {
        if (!trials.isSoiled() && !fresh) {
            return body.get();
        }
        fresh = true;
        var box = new ArrayList<Trial>(1);
        Thread thread = Threads.system().startVirtual("sweep " + sweep.name, () -> box.add(body.get()));
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("sweep " + sweep.name + ": interrupted", e);
        }
        return box.getFirst();
    }

    private boolean fresh;
}
