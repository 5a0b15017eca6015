package dev.tenure.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One part of a supervisor's set, under its own lock, which is held for a few plain stores and never
/// around user code.
final class Stripe extends OwnerList {
    private final Supervisor supervisor;

    /// Keeps two stripes out of one cache line.
    @SuppressWarnings("unused")
    private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8, pad9, padA, padB;

    // Guarded by this.
    private @Nullable Task<?> newest;
    private boolean sealed;
    private int tasks;
    private int handles;

    Stripe(Supervisor supervisor) {
        this.supervisor = supervisor;
    }

    synchronized void admit(Task<?> task) {
        if (sealed) {
            throw supervisor.refusal("fork " + task.name());
        }
        Task<?> first = newest;
        task.next = first;
        if (first != null) {
            first.previous = task;
        }
        newest = task;
        tasks++;
    }

    @Override
    Supervisor.Options options() {
        return supervisor.options();
    }

    @Override
    Object face() {
        return supervisor;
    }

    @Override
    synchronized void link(Owned<?> node) {
        if (sealed) {
            throw supervisor.refusal("move of " + node.type().name());
        }
        push(node);
        handles++;
    }

    @Override
    void unlink(Owned<?> node) {
        synchronized (this) {
            remove(node);
            handles--;
        }
        supervisor.changed();
    }

    @Override
    void settled() {
        supervisor.changed();
    }

    @Override
    void registerHook(Owned<?> node) {
        if (supervisor.isCancelled()) {
            supervisor.runHook(node);
        }
    }

    @Override
    void taskEnded(Task<?> task, Optional<Throwable> failure) {
        retire(task);
        supervisor.taskEnded(task, failure);
    }

    /// Takes a task out.
    void retire(Task<?> task) {
        synchronized (this) {
            Task<?> before = task.previous;
            Task<?> after = task.next;
            if (before != null) {
                before.next = after;
            } else if (newest == task) {
                newest = after;
            }
            if (after != null) {
                after.previous = before;
            }
            task.previous = null;
            task.next = null;
            tasks--;
        }
    }

    synchronized void seal() {
        sealed = true;
    }

    boolean owns(Task<?> task) {
        return task.owner() == this;
    }

    synchronized int tasks() {
        return tasks;
    }

    synchronized int handles() {
        return handles;
    }

    synchronized List<Task<?>> liveTasks() {
        var live = new ArrayList<Task<?>>(tasks);
        for (Task<?> task = newest; task != null; task = task.next) {
            live.add(task);
        }
        return live;
    }

    /// Newest first.
    synchronized List<Owned<?>> liveHandles() {
        var live = new ArrayList<Owned<?>>(handles);
        for (Owned<?> node = head; node != null; node = node.next) {
            live.add(node);
        }
        return live;
    }
}
