package dev.tenure.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What handles and tasks are linked in: a scope, or a stripe of a supervisor. Links are plain fields,
/// written under the owner's rule: by its thread, or under its lock.
abstract sealed class OwnerList permits ScopeState, Stripe, Transit, Share {
    /// The newest node.
    @Nullable
    Owned<?> head;

    /// What a report calls the owner: the scope, supervisor, queue or share.
    abstract Object face();

    /// What its nodes run and are traced with.
    abstract Supervisor.Options options();

    /// A node for this owner, not linked yet.
    final <T> Owned<T> node(ResourceType<T> type, @Nullable T value, Owned.State state) {
        return options().tracing().hasSites()
                ? new TracedOwned<>(this, type, value, state)
                : new Owned<>(this, type, value, state);
    }

    /// Links a node, or refuses with [AdmissionClosed] or [Scope.WrongThread] and links nothing.
    abstract void link(Owned<?> node);

    /// Takes a node that has ended out of the list, now or at the owner's next step.
    abstract void unlink(Owned<?> node);

    /// A reserved node was filled or given up: whoever closes may go on.
    abstract void settled();

    /// The strand of the calling thread.
    Strand strandHere() {
        return Strand.ofThread();
    }

    /// A release that ran on this thread has ended; whoever waits for it elsewhere sees that from here
    /// on.
    void released(Thread by) {}

    /// Makes the node's hook visible to cancellers, where there are any.
    void registerHook(Owned<?> node) {}

    /// A task that was forked here has ended.
    void taskEnded(Task<?> task, Optional<Throwable> failure) {}

    /// Somebody looked at the outcome of a task that was forked here.
    void taskObserved(Task<?> task) {}

    /// Links forwards alone: what ends soon, or in the order of a close, never needs its link back, and
    /// in an owner that lives long each write of a link passes the collector's barrier.
    final void push(Owned<?> node) {
        node.next = head;
        head = node;
    }

    /// Takes a node out; does nothing if it was taken out before.
    final void remove(Owned<?> node) {
        Owned<?> after = node.next;
        if (head == node) {
            head = after;
            if (after != null && after.previous != null) {
                after.previous = null;
            }
        } else {
            removeBelow(node, after);
        }
        node.previous = null;
        node.next = null;
    }

    private void removeBelow(Owned<?> node, @Nullable Owned<?> after) {
        if (node.previous == null) {
            linkBack();
        }
        Owned<?> before = node.previous;
        if (before != null) {
            before.next = after;
            if (after != null) {
                after.previous = before;
            }
        }
    }

    /// Links what was pushed since the last time; once a node, so that a removal stays cheap on average.
    /// The head has no link back, and below the first that has one all have.
    private void linkBack() {
        Owned<?> at = head;
        while (at != null && at.next != null && at.next.previous == null) {
            at.next.previous = at;
            at = at.next;
        }
    }
}
