package dev.tenure.core;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// What a scope needs only when it has tasks, hooks, foreign movers or a deadline of its own. Most
/// never allocate it.
final class Extras {
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

    // Guarded by this.
    private final List<Task<?>> tasks = new ArrayList<>(4);
    private @Nullable List<Task<?>> unobserved;
    private @Nullable List<Owned<?>> hooks;

    /// Written by the scope's thread before anybody else knows the scope.
    LeakSampler.@Nullable Sample sample;

    // Written and read by the scope's thread.
    Timers.@Nullable Alarm alarm;
    int purgeAt = 16;

    /// Written by the closer, read by all.
    volatile @Nullable CloseReport report;

    private static Extras shut() {
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
        Inbox top = inbox.getAndSet(refuse ? REFUSING : null);
        var nodes = new ArrayList<Owned<?>>(0);
        for (Inbox at = top; at != null && at.node != null; at = at.below) {
            nodes.addFirst(at.node);
        }
        return nodes;
    }

    boolean hasMail() {
        return inbox.get() != null;
    }

    synchronized void add(Task<?> task) {
        tasks.add(task);
    }

    /// Notes that a task ended; a failure that nobody has seen is kept until someone does, or the scope
    /// closes.
    void ended(Task<?> task, boolean failed) {
        synchronized (this) {
            tasks.remove(task);
            if (failed && !task.isObserved()) {
                keepUnobserved(task);
            }
        }
        waiters.wake();
    }

    /// A task that somebody else joins now.
    void detached(Task<?> task) {
        synchronized (this) {
            tasks.remove(task);
        }
        waiters.wake();
    }

    private void keepUnobserved(Task<?> task) {
        if (unobserved == null) {
            unobserved = new ArrayList<>(1);
        }
        unobserved.add(task);
    }

    synchronized void observed(Task<?> task) {
        if (unobserved != null) {
            unobserved.remove(task);
        }
    }

    synchronized List<Task<?>> tasks() {
        return List.copyOf(tasks);
    }

    synchronized List<Task<?>> unobserved() {
        return unobserved == null ? List.of() : List.copyOf(unobserved);
    }

    synchronized boolean hasTasks() {
        return !tasks.isEmpty();
    }

    synchronized void addHook(Owned<?> node) {
        if (hooks == null) {
            hooks = new ArrayList<>(2);
        }
        hooks.removeIf(Owned::isTerminal);
        hooks.add(node);
    }

    synchronized List<Owned<?>> hooks() {
        return hooks == null ? List.of() : List.copyOf(hooks);
    }
}
