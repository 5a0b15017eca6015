package dev.tenure.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The owner of one value that many borrow: counts them, and lets the value end when the last has given
/// it back.
final class Share<T> extends OwnerList {
    private final Shared<T> face;
    private final Supervisor.Options options;
    final Waiters waiters = new Waiters();

    // Guarded by this.
    private Shared.@Nullable Borrowed<T> newest;
    private int borrowers;
    private int closers;
    private boolean closing;

    Share(Shared<T> face, Supervisor.Options options) {
        this.face = face;
        this.options = options;
    }

    @Override
    Supervisor.Options options() {
        return options;
    }

    @Override
    Object face() {
        return face;
    }

    @Override
    void link(Owned<?> node) {
        head = node;
    }

    @Override
    void unlink(Owned<?> node) {
        waiters.wake();
    }

    @Override
    void settled() {}

    synchronized void lend(Shared.Borrowed<T> borrowed) {
        if (closing) {
            throw new AdmissionClosed("borrow of %s: it is closing and lends nothing more".formatted(face.name()));
        }
        borrowed.next = newest;
        if (newest != null) {
            newest.previous = borrowed;
        }
        newest = borrowed;
        borrowers++;
    }

    /// Takes a borrower out.
    ///
    /// @return whether this was the last one after the close began, and no closer waits any more: the
    /// caller releases
    boolean giveBack(Shared.Borrowed<T> borrowed) {
        boolean last;
        synchronized (this) {
            unlink(borrowed);
            borrowers--;
            last = closing && borrowers == 0 && closers == 0;
        }
        waiters.wake();
        return last;
    }

    private void unlink(Shared.Borrowed<T> borrowed) {
        Shared.Borrowed<T> before = borrowed.previous;
        Shared.Borrowed<T> after = borrowed.next;
        if (before != null) {
            before.next = after;
        } else if (newest == borrowed) {
            newest = after;
        }
        if (after != null) {
            after.previous = before;
        }
    }

    synchronized void beginClose() {
        closing = true;
        closers++;
    }

    /// A closer ends its wait.
    ///
    /// @return whether nobody borrows any more: the caller releases
    synchronized boolean endWait() {
        closers--;
        return borrowers == 0;
    }

    synchronized boolean isClosing() {
        return closing;
    }

    synchronized int borrowers() {
        return borrowers;
    }

    synchronized List<Shared.Borrowed<T>> live() {
        var live = new ArrayList<Shared.Borrowed<T>>(borrowers);
        for (Shared.Borrowed<T> at = newest; at != null; at = at.next) {
            live.add(at);
        }
        return live;
    }
}
