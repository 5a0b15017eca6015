package dev.tenure.core;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What a scope needs only when it has tasks, hooks, foreign movers or a deadline of its own. Most
/// never allocate it.
final class Extras extends Latch {
    /// The inbox's content once it refuses.
    private static final Inbox REFUSING = new Inbox(null, null);

    /// Stands in a scope that closed without ever needing extras: refuses movers.
    static final Extras SHUT = shut();

    /// A stack of nodes moved in by foreign threads.
    private static final class Inbox {
        private final @Nullable Owned<?> node;
        private final @Nullable Inbox below;

        Inbox(@Nullable Owned<?> node, @Nullable Inbox below) {
            this.node = node;
            this.below = below;
        }
    }

    final Waiters waiters = new Waiters();
    final AtomicInteger tombstones = new AtomicInteger();
    private final AtomicReference<@Nullable Inbox> inbox = new AtomicReference<>();

    // Guarded by the latch.
    private final List<Task<?>> tasks = new ArrayList<>(4);
    private @Nullable Set<Task<?>> unobserved;
    private @Nullable List<Task<?>> untold;
    private @Nullable List<Owned<?>> hooks;
    private int hooksPurgeAt = 16;

    /// Written by the scope's thread before anybody else knows the scope.
    LeakSampler.@Nullable Sample sample;

    // Written and read by the scope's thread.
    Timers.@Nullable Alarm alarm;
    int purgeAt = 16;

    /// Written by the closer, read by all.
    volatile @Nullable CloseReport report;

    /// Extras that refuse movers.
    static Extras shut() {
        var extras = new Extras();
        extras.inbox.set(REFUSING);
        return extras;
    }

    /// Puts a node into the inbox.
    ///
    /// @return false if the owner no longer takes anything
    boolean offer(Owned<?> node) {
        while (true) {
            Inbox top = inbox.get();
            if (top == REFUSING) {
                return false;
            }
            if (inbox.compareAndSet(top, new Inbox(node, top))) {
                return true;
            }
        }
    }

    /// Takes what came in, oldest first.
    ///
    /// @param refuse whether nothing may come in from now on
    List<Owned<?>> drain(boolean refuse) {
        Inbox top = taken(refuse ? REFUSING : null);
        var nodes = new ArrayList<Owned<?>>(0);
        for (Inbox at = top; at != null && at.node != null; at = at.below) {
            nodes.add(at.node);
        }
        return nodes.reversed();
    }

    /// Once it refuses, it refuses for ever.
    private @Nullable Inbox taken(@Nullable Inbox left) {
        while (true) {
            Inbox top = inbox.get();
            if (top == REFUSING || inbox.compareAndSet(top, left)) {
                return top;
            }
        }
    }

    boolean hasMail() {
        Inbox top = inbox.get();
        return top != null && top != REFUSING;
    }

    void add(Task<?> task) {
        lock();
        try {
            task.slot = tasks.size();
            tasks.add(task);
            if (untold != null) {
                untold.add(task);
            }
        } finally {
            unlock();
        }
    }

    /// Takes a task out in constant time: the last one takes its place.
    private void remove(Task<?> task) {
        int slot = task.slot;
        if (slot < tasks.size() && tasks.get(slot) == task) {
            Task<?> last = tasks.removeLast();
            if (last != task) {
                tasks.set(slot, last);
                last.slot = slot;
            }
        }
    }

    /// Whom a failure concerns: all at the first one, later those who came since.
    List<Task<?>> toldOfFailure() {
        lock();
        try {
            List<Task<?>> whom = untold == null ? List.copyOf(tasks) : untold;
            untold = new ArrayList<>(0);
            return whom;
        } finally {
            unlock();
        }
    }

    /// Notes that a task ended; a failure that nobody has seen is kept until someone does, or the scope
    /// closes.
    void ended(Task<?> task, boolean failed) {
        lock();
        try {
            remove(task);
            if (failed && !task.isObserved()) {
                keepUnobserved(task);
            }
        } finally {
            unlock();
        }
        waiters.wake();
    }

    /// A task that somebody else joins now.
    void detached(Task<?> task) {
        lock();
        try {
            remove(task);
        } finally {
            unlock();
        }
        waiters.wake();
    }

    private void keepUnobserved(Task<?> task) {
        if (unobserved == null) {
            unobserved = new LinkedHashSet<>();
        }
        unobserved.add(task);
    }

    void observed(Task<?> task) {
        lock();
        try {
            if (unobserved != null) {
                unobserved.remove(task);
            }
        } finally {
            unlock();
        }
    }

    List<Task<?>> tasks() {
        lock();
        try {
            return List.copyOf(tasks);
        } finally {
            unlock();
        }
    }

    List<Task<?>> unobserved() {
        lock();
        try {
            return unobserved == null ? List.of() : List.copyOf(unobserved);
        } finally {
            unlock();
        }
    }

    /// Takes the latch, so that a waiter who has entered its list before and finds a task is seen by
    /// whoever takes that task out.
    boolean hasTasks() {
        lock();
        boolean some = !tasks.isEmpty();
        unlock();
        return some;
    }

    void addHook(Owned<?> node) {
        lock();
        try {
            if (hooks == null) {
                hooks = new ArrayList<>(2);
            }
            if (hooks.size() >= hooksPurgeAt) {
                hooks.removeIf(Owned::isTerminal);
                hooksPurgeAt = Math.max(16, 2 * hooks.size());
            }
            hooks.add(node);
        } finally {
            unlock();
        }
    }

    List<Owned<?>> hooks() {
        lock();
        try {
            return hooks == null ? List.of() : List.copyOf(hooks);
        } finally {
            unlock();
        }
    }
}
