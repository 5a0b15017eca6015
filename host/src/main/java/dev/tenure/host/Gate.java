package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.TimeSource;
import dev.tenure.host.internal.Bell;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What an activity waits for before its cleanups: every registration, nested ones too, until its signal.
///
/// **Threads:** any; guarded by this.
final class Gate {
    private record Routine(String what, long startedNanos) {}

    private final String name;
    private final TimeSource time;
    private final Bell bell;

    // Guarded by this.
    private final Map<Object, Routine> routines = new LinkedHashMap<>();
    private boolean sealed;

    Gate(String name, TimeSource time, Bell bell) {
        this.name = name;
        this.time = time;
        this.bell = bell;
    }

    synchronized Runnable enter(String what) {
        if (sealed) {
            throw new IllegalStateException("activity '%s': background work '%s' came after its gate had passed: %s"
                    .formatted(name, what, "register it while other work of the activity still runs"));
        }
        var key = new Object();
        routines.put(key, new Routine(what, time.nanos()));
        return () -> signal(key);
    }

    private void signal(Object key) {
        synchronized (this) {
            routines.remove(key);
        }
        bell.ring();
    }

    /// Waits until nothing is registered, and seals in the same instant.
    boolean awaitEmpty(Deadline until) {
        return bell.await(this::sealIfEmpty, until);
    }

    synchronized boolean sealIfEmpty() {
        sealed = routines.isEmpty();
        return sealed;
    }

    synchronized List<Holder> holders() {
        return routines.values().stream().map(this::holder).toList();
    }

    private Holder holder(Routine routine) {
        var age = Duration.ofNanos(time.nanos() - routine.startedNanos());
        return new Holder(routine.what(), "background work of '" + name + "'", age, Optional.empty(), List.of());
    }
}
