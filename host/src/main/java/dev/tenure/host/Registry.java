package dev.tenure.host;

import dev.tenure.core.Holder;
import dev.tenure.core.TimeSource;
import dev.tenure.host.internal.Bell;
import dev.tenure.host.internal.DependencyOrder;
import dev.tenure.host.internal.ExitHook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Everything a host owns or was lent, in the order of registration, and what is being opened.
///
/// **Threads:** any; guarded by this. Nothing of others is called with the lock held.
final class Registry {
    /// A part that is being opened by a thread; `nested` if that thread opens another around it.
    record Opening(String what, Thread thread, long startedNanos, boolean nested) {}

    private static final DependencyOrder<Tracked> NO_ORDER = new DependencyOrder<>(_ -> Set.of());

    private final Bell bell;
    private final TimeSource time;

    // Guarded by this.
    private final List<Tracked> parts = new ArrayList<>();
    private final List<String> borrowed = new ArrayList<>();
    private final List<Opening> openings = new ArrayList<>();
    private final Set<Class<?>> services = new HashSet<>();
    private boolean partsSealed;
    private boolean cleanupsSealed;

    Registry(Bell bell, TimeSource time) {
        this.bell = bell;
        this.time = time;
    }

    // ---- opening ----

    /// Notes that a part is being opened by this thread.
    synchronized Opening begin(String what) {
        var thread = Thread.currentThread();
        var nested = openings.stream().anyMatch(other -> other.thread() == thread);
        var opening = new Opening(what, thread, time.nanos(), nested);
        openings.add(opening);
        return opening;
    }

    void end(Opening opening) {
        synchronized (this) {
            openings.remove(opening);
        }
        bell.ring();
    }

    /// Whether somebody opens a part and will come back. A thread that called exit never does.
    boolean isOpening(boolean exiting) {
        return openings().stream()
                .anyMatch(opening ->
                        !exiting || !ExitHook.isExiting(List.of(opening.thread().getStackTrace())));
    }

    private synchronized List<Opening> openings() {
        return List.copyOf(openings);
    }

    /// The parts whose opening has not returned, for the report.
    List<Holder> stillOpening() {
        return openings().stream()
                .map(opening -> new Holder(
                        "start",
                        opening.what(),
                        Duration.ofNanos(time.nanos() - opening.startedNanos()),
                        Optional.empty(),
                        List.of(opening.thread().getStackTrace())))
                .toList();
    }

    // ---- registering ----

    /// Registers, unless the stop has passed the point up to which it takes something new.
    ///
    /// @return whether it was registered
    synchronized boolean register(Tracked part) {
        if (part.isCleanup() ? cleanupsSealed : partsSealed) {
            return false;
        }
        parts.add(part);
        return true;
    }

    synchronized void borrow(String name) {
        borrowed.add(name);
    }

    synchronized List<String> borrowed() {
        return List.copyOf(borrowed);
    }

    /// Notes a type of background service.
    ///
    /// @return whether it is the first of its type
    synchronized boolean claim(Class<?> service) {
        return services.add(service);
    }

    synchronized void release(Class<?> service) {
        services.remove(service);
    }

    synchronized void sealParts() {
        partsSealed = true;
    }

    /// Closes the cleanup queue if every entry of it was run.
    synchronized void sealCleanups() {
        cleanupsSealed = true;
    }

    /// Takes the cleanup queue as it is, in its order; what is registered from now on is for the next run.
    List<Tracked> takeCleanups() {
        synchronized (this) {
            var taken = parts.stream().filter(Tracked::isCleanup).toList();
            parts.removeAll(taken);
            return taken;
        }
    }

    // ---- order ----

    synchronized List<Tracked> all() {
        return List.copyOf(parts);
    }

    /// The order of a stop: the cleanup queue first in first out, then components last in first out; users before
    /// what they use, whatever that order says.
    List<Tracked> stopOrder() {
        var all = all();
        var wanted = new ArrayList<>(all.stream().filter(Tracked::isCleanup).toList());
        all.reversed().stream().filter(part -> !part.isCleanup()).forEach(wanted::add);
        return edges(all).sort(wanted);
    }

    /// The components that use this one.
    List<Tracked> usersOf(Tracked used) {
        return all().stream()
                .filter(part -> part != used && part.uses().contains(used.component()))
                .toList();
    }

    /// Refuses a cycle among the edges.
    void refuseCycle() {
        var all = all();
        edges(all).cycle(all).ifPresent(cycle -> {
            throw ConfigurationError.of(
                    "uses",
                    cycle.stream().map(Tracked::name).collect(Collectors.joining(" -> ")),
                    "components that do not use each other in a circle");
        });
    }

    private static DependencyOrder<Tracked> edges(List<Tracked> all) {
        if (all.stream().allMatch(part -> part.uses().isEmpty())) {
            return NO_ORDER;
        }
        return new DependencyOrder<>(user -> all.stream()
                .filter(part -> user.uses().contains(part.component()))
                .collect(Collectors.toSet()));
    }
}
