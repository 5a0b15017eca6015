package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.Threads;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Runs a scenario once to list its points, then again with one fault at each of them, then with other
/// schedules and with two faults; after every run it looks whether a law was broken.
///
/// **Owner:** the test. **Ends:** [#run()] returns when all runs are over or its budget is.
/// **Threads:** one test thread; runs happen on a virtual thread, and there is one sweep at a time in a
/// JVM. **Limits:** budget 10 s of real time, 10 s for the way from one point to the next, 200,000
/// points in a run. **Fails:** with an `AssertionError` if the scenario waits for something that no
/// sweep can see. **Source:** ownership 5.
public final class Sweep {
    private Duration stall = Duration.ofSeconds(10);

    final String name;
    final Scenario scenario;
    Set<Fault> faults = EnumSet.allOf(Fault.class);
    int schedules = 1;
    int pairs;
    boolean staying = true;
    int preemptions = -1;
    long seed = 1;
    Duration budget = Duration.ofSeconds(10);
    final Set<String> survivors = new HashSet<>();
    final Set<String> confined = new HashSet<>();

    private Sweep(String name, Scenario scenario) {
        this.name = name;
        this.scenario = scenario;
    }

    /// A sweep of all faults, without pairs, with the one schedule in which every thread runs until it
    /// waits.
    ///
    /// @param name for reports and tokens
    /// @param scenario what is run
    /// @return the sweep, not begun
    public static Sweep of(String name, Scenario scenario) {
        return new Sweep(name, scenario);
    }

    /// Injects only these.
    ///
    /// @param first one
    /// @param others more
    /// @return this
    public Sweep faults(Fault first, Fault... others) {
        faults = EnumSet.of(first, others);
        return this;
    }

    /// Also cancels at every point under so many schedules, and injects the other faults at a part of
    /// the points.
    ///
    /// @param count at least 1; makes no difference to a scenario with one thread
    /// @return this
    public Sweep schedules(int count) {
        schedules = atLeast("schedules", count, 1);
        return this;
    }

    /// Also injects two faults in one run, this often; which is decided by the seed.
    ///
    /// @param count at least 0
    /// @return this
    public Sweep pairs(int count) {
        pairs = atLeast("pairs", count, 0);
        return this;
    }

    /// Says whether failures also stay: where the point of one comes again, there is a run in which it strikes each
    /// time.
    ///
    /// @param also false for a scenario that rightly never gives up, such as a worker without its database
    /// @return this
    public Sweep staying(boolean also) {
        staying = also;
        return this;
    }

    /// Also runs every schedule that has at most so many preemptions, without faults, and tells how
    /// many there were.
    ///
    /// @param bound how many preemptions, at least 0
    /// @return this
    public Sweep exhaustive(int bound) {
        preemptions = atLeast("preemptions", bound, 0);
        return this;
    }

    /// Decides what is left to chance.
    ///
    /// @param number any
    /// @return this
    public Sweep seed(long number) {
        seed = number;
        return this;
    }

    /// Ends the sweep when it takes longer; the report says what was left out.
    ///
    /// @param limit of real time
    /// @return this
    public Sweep budget(Duration limit) {
        budget = limit;
        return this;
    }

    /// Ends the sweep when a thread takes longer from one point to the next.
    Sweep stall(Duration limit) {
        stall = limit;
        return this;
    }

    /// Names what may outlive the scenario, such as what a reclaimer will delete.
    ///
    /// @param resources names as in reports
    /// @return this
    public Sweep survivors(String... resources) {
        survivors.addAll(List.of(resources));
        return this;
    }

    /// Names types whose handles no other thread can have, so that none releases them.
    ///
    /// @param types names of resource types
    /// @return this
    public Sweep confined(String... types) {
        confined.addAll(List.of(types));
        return this;
    }

    private static int atLeast(String key, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("%s: %d (expected: >= %d)".formatted(key, value, least));
        }
        return value;
    }

    /// Runs the sweep.
    ///
    /// @return what it found
    public SweepReport run() {
        var trials = new Trials(this);
        return supervised(trials, new SweepLoop(this, trials)::run);
    }

    /// Runs once, as a token says.
    ///
    /// @param token of a report
    /// @param scenario the same scenario
    /// @return the failures of that run, and its events
    public static SweepReport replay(String token, Scenario scenario) {
        var parsed = Token.parse(token);
        return of(parsed.scenario(), scenario).replay(parsed);
    }

    /// Runs once, as a token says, with this sweep's survivors.
    ///
    /// @param token of a report
    /// @return the failures of that run, and its events
    public SweepReport replay(String token) {
        return replay(Token.parse(token));
    }

    private SweepReport replay(Token token) {
        var trials = new Trials(this);
        return supervised(trials, () -> new SweepLoop(this, trials).replay(token));
    }

    /// Runs the loop on a virtual thread, since only there a switch is cheap, and watches it.
    private SweepReport supervised(Trials trials, Callable<SweepReport> loop) {
        var sweeping = KitProbes.KIT.sweeping();
        sweeping.lock();
        try {
            var result = new Result();
            Thread runner = Threads.system().startVirtual("sweep " + name, () -> result.take(loop));
            watch(trials, runner);
            return result.give();
        } finally {
            KitProbes.KIT.run(null);
            sweeping.unlock();
        }
    }

    private void watch(Trials trials, Thread runner) {
        long seen = -1;
        Deadline limit = Deadline.in(stall);
        while (runner.isAlive()) {
            try {
                if (runner.join(Duration.ofMillis(200))) {
                    return;
                }
            } catch (InterruptedException e) {
                runner.interrupt();
                Thread.currentThread().interrupt();
                throw new AssertionError("sweep %s: interrupted".formatted(name), e);
            }
            long now = trials.progress();
            if (now != seen) {
                seen = now;
                limit = Deadline.in(stall);
            } else if (limit.passed()) {
                String where = trials.where();
                trials.abandon();
                runner.interrupt();
                throw new AssertionError("sweep %s: no point for %d ms: %s%n  wait through the core or the fakes alone"
                        .formatted(name, stall.toMillis(), where));
            }
        }
    }

    /// What the loop's thread hands over.
    private static final class Result {
        private @Nullable SweepReport report;
        private @Nullable Throwable failure;

        void take(Callable<SweepReport> loop) {
            try {
                report = loop.call();
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        SweepReport give() {
            SweepReport made = report;
            if (made == null) {
                throw new AssertionError("the sweep itself failed: " + failure, failure);
            }
            return made;
        }
    }
}
