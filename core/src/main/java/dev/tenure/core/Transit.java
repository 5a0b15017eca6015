package dev.tenure.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The owner of what is in transit between an offerer and a taker. Nobody uses it, so no hook needs to unblock anyone.
final class Transit<T> extends OwnerList {
    private final HandoffQueue<T> queue;
    private final int capacity;
    private final Supervisor.Options options;
    final Waiters waiters = new Waiters();

    // Guarded by this.
    private final LinkedHashSet<Owned<?>> waiting = new LinkedHashSet<>();
    /// Threads that keep a place, from their promise to the link of what they offer, so that no place counts twice.
    private final HashSet<Thread> offering = new HashSet<>();

    private int live;
    private boolean sealed;

    Transit(HandoffQueue<T> queue, int capacity, Supervisor.Options options) {
        this.queue = queue;
        this.capacity = capacity;
        this.options = options;
    }

    @Override
    Supervisor.Options options() {
        return options;
    }

    @Override
    Object face() {
        return queue;
    }

    /// Keeps a place for an offer that is about to be made. A take frees its place when it begins; one that
    /// fails puts its value back although the place may have been taken.
    ///
    /// @return false if all places are taken
    synchronized boolean promise() {
        if (sealed) {
            throw refusal("offer");
        }
        if (waiting.size() + offering.size() >= capacity) {
            return false;
        }
        offering.add(Thread.currentThread());
        return true;
    }

    /// Gives back the place of an offer that failed before it was linked.
    synchronized void kept() {
        offering.remove(Thread.currentThread());
    }

    @Override
    synchronized void link(Owned<?> node) {
        if (sealed) {
            throw refusal("offer");
        }
        push(node);
        waiting.addLast(node);
        offering.remove(Thread.currentThread());
        live++;
    }

    @Override
    void unlink(Owned<?> node) {
        synchronized (this) {
            remove(node);
            waiting.remove(node);
            live--;
        }
        waiters.wake();
    }

    @Override
    void settled() {
        waiters.wake();
    }

    /// Takes the oldest out of the order, not out of our ownership: the caller moves it, or puts it
    /// back.
    @SuppressWarnings("unchecked") // a queue of T is offered handles of T
    @Nullable
    synchronized Owned<T> oldest() {
        return waiting.isEmpty() ? null : (Owned<T>) waiting.removeFirst();
    }

    /// The taker could not take it: it is the next again.
    void putBack(Owned<?> node) {
        synchronized (this) {
            if (!node.isTerminal()) {
                waiting.addFirst(node);
            }
        }
        waiters.wake();
    }

    /// Refuses offers and takers from now on.
    ///
    /// @return whether this call sealed it
    boolean seal() {
        synchronized (this) {
            if (sealed) {
                return false;
            }
            sealed = true;
        }
        waiters.wake();
        return true;
    }

    synchronized boolean isSealed() {
        return sealed;
    }

    /// Whether a taker has something to do.
    synchronized boolean isStirring() {
        return sealed || !waiting.isEmpty();
    }

    synchronized int live() {
        return live;
    }

    /// Oldest first.
    synchronized List<Owned<?>> handles() {
        var handles = new ArrayList<Owned<?>>(live);
        for (Owned<?> node = head; node != null; node = node.next) {
            handles.add(node);
        }
        return handles.reversed();
    }

    AdmissionClosed refusal(String attempt) {
        return new AdmissionClosed("%s: queue '%s' is closed and hands nothing over".formatted(attempt, queue.name()));
    }
}
