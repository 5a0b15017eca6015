package dev.tenure.testkit;

import dev.tenure.core.Scope;
import dev.tenure.testkit.Strike.Plan;
import dev.tenure.testkit.internal.engine.Book;
import dev.tenure.testkit.internal.engine.Broken;
import dev.tenure.testkit.internal.engine.Path;
import dev.tenure.testkit.internal.engine.Points;
import dev.tenure.testkit.internal.engine.Run;
import dev.tenure.testkit.internal.engine.Schedule;
import dev.tenure.testkit.internal.engine.Stat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Runs the scenario of one sweep, once at each call, on the calling thread.
final class Trials {
    private final Sweep sweep;
    private final Points points = new Points();
    private final Path root = Path.root();
    private final Map<String, Stat> stats = new TreeMap<>();
    private long serial;
    private boolean soiled;
    private volatile @Nullable Run running;
    private volatile Plan planned = Plan.NONE;

    Trials(Sweep sweep) {
        this.sweep = sweep;
    }

    /// What came of one run.
    ///
    /// @param run the run
    /// @param strike what was injected
    /// @param world its fakes
    /// @param thrown what the scenario threw
    record Trial(
            Run run, Strike strike, World world, @Nullable Throwable thrown) {
        List<Broken> violations() {
            return run.book().violations();
        }
    }

    Trial run(Plan plan, Schedule schedule, Run.Mode mode) {
        return perform(plan, schedule, mode, null);
    }

    /// Runs without a fault on the fakes of an earlier run.
    Trial again(World used) {
        return perform(Plan.NONE, Schedule.fifo(), Run.Mode.FAST, used);
    }

    private Trial perform(Plan plan, Schedule schedule, Run.Mode mode, @Nullable World used) {
        boolean plain = serial == 0 && mode == Run.Mode.TRACED;
        var book = new Book(stats, this::text, plain);
        var relay = new Relay();
        var run = new Run(new Run.Setup(points, root, book, ++serial), schedule, relay, mode);
        var world = used == null ? new World(run) : used.in(run);
        var strike = new Strike(plan, world, sweep.confined);
        relay.to = strike;
        run.clock(world.ticker());
        planned = plan;
        run.aim(word(plan, false), word(plan, true));
        run.stay(stays(plan.first()), stays(plan.second()));
        Throwable thrown = performed(run, world);
        Thread.interrupted();
        var trial = new Trial(run, strike, world, thrown);
        Judge.look(trial);
        tidy(trial);
        return trial;
    }

    private @Nullable Throwable performed(Run run, World world) {
        Throwable thrown = null;
        running = run;
        KitProbes.KIT.run(run);
        try {
            try {
                sweep.scenario.run(world);
            } catch (Throwable failure) {
                thrown = failure;
            }
            thrown = world.runAfterwards(thrown);
            run.finish();
            if (!run.isStuck()) {
                world.checkAll();
            }
        } finally {
            KitProbes.KIT.run(null);
        }
        run.check(sweep.survivors);
        return thrown;
    }

    private static boolean stays(Optional<Strike.Shot> shot) {
        return shot.filter(Strike.Shot::stays).isPresent();
    }

    private static long word(Plan plan, boolean second) {
        return (second ? plan.second() : plan.first()).map(Strike.Shot::point).orElse(-1L);
    }

    /// A scope that the scenario left open would take in those of the next run.
    private void tidy(Trial trial) {
        soiled |= trial.run().isStuck();
        if (trial.violations().isEmpty()) {
            return;
        }
        for (int i = 0; i < 100 && Scope.innermost().isPresent(); i++) {
            try {
                Scope.current().close();
            } catch (RuntimeException _) {
                // The run has failed already; only the thread is made ready for the next.
            }
        }
        soiled |= Scope.innermost().isPresent();
    }

    /// Whether the thread that runs the trials should not be used again.
    boolean isSoiled() {
        boolean was = soiled;
        soiled = false;
        return was;
    }

    String text(long point) {
        return point == 0 ? "the start" : Run.text(root, points, point);
    }

    Points points() {
        return points;
    }

    Path root() {
        return root;
    }

    Map<String, Stat> stats() {
        return stats;
    }

    /// Grows while something happens, for a watchdog.
    long progress() {
        Run run = running;
        return serial * 1_000_003 + (run == null ? 0 : run.steps());
    }

    /// Gives up, for a watchdog.
    void abandon() {
        Run run = running;
        if (run != null) {
            run.abandon();
        }
    }

    /// Where it stands, for a watchdog.
    String where() {
        Run run = running;
        if (run == null) {
            return "no run has begun";
        }
        Thread thread = run.running();
        var text = new StringBuilder("the thread of '%s' did not come from %s to its next point"
                .formatted(run.actor().path().text(), text(run.lastPoint())));
        text.append("\n  with ").append(planned.isEmpty() ? "no fault" : Token.targets(root, points, planned));
        if (thread != null) {
            for (StackTraceElement frame : thread.getStackTrace()) {
                text.append("\n    at ").append(frame);
            }
        }
        return text.toString();
    }

    /// Stands in until the adversary, which needs the run, is made.
    private static final class Relay implements dev.tenure.testkit.internal.engine.Adversary {
        private @Nullable Strike to;

        @Override
        public void seen(Run run, long point) {
            if (to != null) {
                to.seen(run, point);
            }
        }

        @Override
        public void strike(Run run, long point, boolean second) {
            if (to != null) {
                to.strike(run, point, second);
            }
        }
    }
}
