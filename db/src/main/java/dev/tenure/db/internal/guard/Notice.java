package dev.tenure.db.internal.guard;

import dev.tenure.core.Scope;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Whether the borrower of a lease knows of a cancel: by a call that threw, or not yet.
///
/// A borrower that knows is left alone, for it cleans up; one that may not know is told by its next call.
///
/// **Threads:** [#come()] and [#isLeaseCancelled()] any; all else the lease's.
final class Notice {
    /// Whether a cancel has come that no call has told of. Set by cancels, reset by the owner.
    private volatile boolean untold;

    /// The scope that the callback runs in. Written by the owner, read by cancellers.
    private volatile @Nullable Scope home;

    private @Nullable Scope toldIn;

    void home(Scope scope) {
        home = scope;
    }

    /// A cancel of the whole lease has come.
    void come() {
        untold = true;
    }

    /// A call has told the borrower.
    void given() {
        untold = false;
        toldIn = inner().orElse(null);
    }

    /// Whether the borrower may not know of a cancel of the lease, or of the scope inside it that is open now.
    boolean isDue() {
        return untold
                || inner().filter(at -> at != toldIn && at.cancelled().isPresent())
                        .isPresent();
    }

    /// The innermost scope, if the borrower opened it inside the callback's own.
    Optional<Scope> inner() {
        return Scope.innermost().filter(at -> at != home);
    }

    /// Whether the callback's scope was cancelled, or one around it.
    boolean isLeaseCancelled() {
        Scope lent = home;
        return lent != null && lent.cancelled().isPresent();
    }
}
