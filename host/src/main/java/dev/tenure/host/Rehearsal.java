package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Observer;
import dev.tenure.core.Reason;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.HostSettings.Seams;
import dev.tenure.host.internal.Bell;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A stop of nothing, when a host starts: a second signal leaves 100 ms for a report, which is no time to load the
/// classes of a stop and of its report from files.
///
/// **Owner:** the coordinator, before it waits for the first request. **Ends:** when [#run()] returns. **Threads:**
/// the calling one alone: all calls run on it, on a clock that jumps over every wait, and no timer is armed.
/// **Limits:** about 50 ms the first time in a process, on a thread that has nothing else to do; 5 ms the next times,
/// 1 ms warm.
final class Rehearsal {
    private static final Duration BUDGET = Duration.ofSeconds(1);

    private Rehearsal() {}

    /// Stops, by force, a host of one component that fails and is in use, and writes its report both ways.
    ///
    /// @return the report's length, so that it is not made for nothing
    static int run() {
        var time = new Hurry();
        var seams = new Seams(time, time, new ThisThread(), Observer.none());
        var settings = new HostSettings(
                "rehearsal",
                DeploymentPolicy.PERSISTENT,
                new HostSettings.Times(BUDGET, Duration.ZERO, BUDGET),
                false,
                seams,
                List.of(report -> report.exitCode()));
        var bell = new Bell(time);
        var lifecycle = new Lifecycle(bell, time);
        var registry = new Registry(bell, time);
        registry.register(new Tracked(new Actor(), false));
        registry.register(new Tracked(new StoppingPart(() -> {}), false));
        registry.register(new Tracked(new CleanupPart("cleanup", () -> {}, Set.of()), true));
        lifecycle.requestStop("rehearsal", Reason.of(Reason.Kind.STOP, "rehearsal"));
        lifecycle.requestForce("rehearsal");
        var report = new Coordinator(settings, lifecycle, registry, new Activities(settings, bell, registry))
                .stop()
                .report();
        return report.toText().length() + report.toJson().length();
    }

    /// Comes into every phase, fails, and stays in use.
    private static final class Actor implements Component {
        @Override
        public String name() {
            return "actor";
        }

        @Override
        public Set<Phase> phases() {
            return EnumSet.allOf(Phase.class);
        }

        @Override
        public void enter(Phase phase, Stop stop) {
            throw new IllegalStateException("rehearsed, with " + stop.deadline().remaining());
        }

        @Override
        public List<Holder> holders() {
            var stack = List.of(Thread.currentThread().getStackTrace());
            return List.of(
                    new Holder("work", "here", BUDGET, Optional.of(BUDGET), stack),
                    new Holder("work", "here", BUDGET, Optional.empty(), List.of()));
        }

        @Override
        public Map<String, Long> counts() {
            return Map.of("admitted", 1L, "retained", 1L);
        }
    }

    /// Runs everything where it is asked for.
    private static final class ThisThread implements Threads {
        @Override
        public Thread startVirtual(String name, Runnable body) {
            return startPlatform(name, body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            body.run();
            return Thread.currentThread();
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return startPlatform(name, body);
        }
    }

    /// A clock on which whoever waits has waited at once, and which goes on whenever it is looked at.
    private static final class Hurry implements TimeSource, Timers {
        private static final long LOOK_NANOS = Duration.ofMillis(1).toNanos();

        private long nanos;

        @Override
        public long nanos() {
            nanos += LOOK_NANOS;
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        @Override
        public Alarm at(Deadline when, Runnable task) {
            nanos += Math.max(0, when.remainingNanos());
            task.run();
            return () -> false;
        }

        @Override
        public int pending() {
            return 0;
        }
    }
}
