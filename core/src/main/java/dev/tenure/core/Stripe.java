package dev.tenure.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One part of a supervisor's set, under a latch of its own. It is a [Latch], but for its superclass and
/// for what lies in its cache lines.
abstract sealed class Stripe extends OwnerList permits Stripe.Padded {
    private static final VarHandle LATCH;

    static {
        try {
            LATCH = MethodHandles.lookup().findVarHandle(Stripe.class, "latch", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Supervisor supervisor;

    /// 1 while somebody holds it.
    private volatile int latch;

    // Guarded by the latch, as the links of what is in here.
    private @Nullable Task<?> newest;
    private boolean sealed;
    private int tasks;
    private int handles;

    private Stripe(Supervisor supervisor) {
        this.supervisor = supervisor;
    }

    static Stripe of(Supervisor supervisor) {
        return new Padded(supervisor);
    }

    /// Keeps what comes after it in memory, the next stripe at first, out of the cache lines that this
    /// one writes, and out of the line that is fetched along with them.
    static final class Padded extends Stripe {
        @SuppressWarnings("unused")
        private long pad0, pad1, pad2, pad3, pad4, pad5, pad6, pad7, pad8, pad9, padA, padB, padC, padD, padE, padF;

        private Padded(Supervisor supervisor) {
            super(supervisor);
        }
    }

    private void lock() {
        if ((int) LATCH.getAndSet(this, 1) != 0) {
            Latch.takeSlowly(this::tryTake);
        }
    }

    private boolean tryTake() {
        return latch == 0 && (int) LATCH.getAndSet(this, 1) == 0;
    }

    private void unlock() {
        LATCH.setRelease(this, 0);
    }

    void admit(Task<?> task) {
        boolean refused;
        lock();
        try {
            refused = sealed;
            if (!refused) {
                Task<?> first = newest;
                task.next = first;
                if (first != null) {
                    first.previous = task;
                }
                newest = task;
                tasks++;
            }
        } finally {
            unlock();
        }
        if (refused) {
            throw supervisor.refusal("fork " + task.name());
        }
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
    void link(Owned<?> node) {
        boolean refused;
        lock();
        try {
            refused = sealed;
            if (!refused) {
                push(node);
                handles++;
            }
        } finally {
            unlock();
        }
        if (refused) {
            throw supervisor.refusal("move of " + node.type().name());
        }
    }

    @Override
    void unlink(Owned<?> node) {
        lock();
        try {
            remove(node);
            handles--;
        } finally {
            unlock();
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
        lock();
        try {
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
        } finally {
            unlock();
        }
    }

    void seal() {
        lock();
        sealed = true;
        unlock();
    }

    boolean owns(Task<?> task) {
        return task.owner() == this;
    }

    /// How many tasks it has. Takes the latch, so that a waiter who has entered its list before and finds
    /// one left is seen by whoever takes that one out.
    int tasks() {
        lock();
        int seen = tasks;
        unlock();
        return seen;
    }

    /// How many values it has; takes the latch for the same reason.
    int handles() {
        lock();
        int seen = handles;
        unlock();
        return seen;
    }

    List<Task<?>> liveTasks() {
        var live = new ArrayList<Task<?>>(tasks() + 8);
        lock();
        try {
            for (Task<?> task = newest; task != null; task = task.next) {
                live.add(task);
            }
        } finally {
            unlock();
        }
        return live;
    }

    /// Newest first.
    List<Owned<?>> liveHandles() {
        var live = new ArrayList<Owned<?>>(handles() + 8);
        lock();
        try {
            for (Owned<?> node = head; node != null; node = node.next) {
                live.add(node);
            }
        } finally {
            unlock();
        }
        return live;
    }
}
