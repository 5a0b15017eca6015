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

    final void push(Owned<?> node) {
        Owned<?> first = head;
        node.next = first;
        if (first != null) {
            first.previous = node;
        }
        head = node;
    }

    final void remove(Owned<?> node) {
        Owned<?> before = node.previous;
        Owned<?> after = node.next;
        if (before != null) {
            before.next = after;
        } else if (head == node) {
            head = after;
        }
        if (after != null) {
            after.previous = before;
        }
        node.previous = null;
        node.next = null;
    }
}
