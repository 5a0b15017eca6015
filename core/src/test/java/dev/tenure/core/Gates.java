package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.spi.ProbeListener;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Runs a step of a test at a named point of the core, which forces one order of a race.
public final class Gates implements ProbeListener {
    private static final Map<String, Runnable> STEPS = new ConcurrentHashMap<>();
    private static final Map<String, LongAdder> COUNTS = new ConcurrentHashMap<>();
    private static final Map<Object, String> LIVE = Collections.synchronizedMap(new IdentityHashMap<>());

    /// Runs the step once, when the point is next reached.
    static void once(String point, Runnable step) {
        STEPS.put(point, step);
    }

    /// Whether a step still waits for its point.
    static boolean isArmed(String point) {
        return STEPS.containsKey(point);
    }

    /// Does the step instead of the next wait for this.
    static void insteadOfWaiting(String what, Runnable step) {
        once("await " + what, step);
    }

    /// Counts the points of a kind from now on, of all threads.
    static LongAdder count(String kind) {
        return COUNTS.computeIfAbsent(kind, _ -> new LongAdder());
    }

    static void reset() {
        STEPS.clear();
        COUNTS.clear();
        LIVE.clear();
    }

    /// Everything that was opened and has not ended.
    static List<String> live() {
        synchronized (LIVE) {
            return List.copyOf(LIVE.values());
        }
    }

    @Override
    public boolean await(String what, BooleanSupplier ready, Deadline deadline) {
        Runnable step = STEPS.isEmpty() ? null : STEPS.remove("await " + what);
        if (step != null) {
            step.run();
        }
        return step != null;
    }

    @Override
    public void at(String kind, String resource, String side) {
        LongAdder count = COUNTS.get(kind);
        if (count != null) {
            count.increment();
        }
        if (STEPS.isEmpty()) {
            return;
        }
        Runnable step = STEPS.remove(side.isEmpty() ? kind : kind + '/' + resource + ':' + side);
        if (step != null) {
            step.run();
        }
    }

    @Override
    public void opened(String kind, String name, Object identity, @Nullable Object owner) {
        LIVE.put(identity, kind + " " + name);
    }

    @Override
    public void moved(Object from, Object to, Object owner, String event) {
        String entry = LIVE.remove(from);
        assertThat(entry).as("moved by %s", event).isNotNull();
        LIVE.put(to, entry);
    }

    @Override
    public void ended(String kind, String name, Object identity, String how) {
        assertThat(LIVE.remove(identity)).as("ended %s: %s %s", how, kind, name).isNotNull();
    }
}
