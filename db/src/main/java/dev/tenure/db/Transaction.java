package dev.tenure.db;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// One transaction, lent to the callback of [Database#inTransaction], which alone ends it.
///
/// **Owner:** `inTransaction`; passing it to helpers transfers nothing. **Ends:** committed when the callback
/// returns, rolled back when it throws or was cancelled. **States:** `ACTIVE -> COMMITTED | ROLLED_BACK | UNKNOWN`.
/// **Threads:** the one it was lent to. **Fails:** [LeaseEscaped] after its end, [WrongThreadLease].
public final class Transaction {
    private final String id;
    private final JdbcLease lease;
    private final List<OutcomeListener> listeners = new ArrayList<>(2);
    private String key = "";

    Transaction(String id, JdbcLease lease) {
        this.id = id;
        this.lease = lease;
    }

    /// The connection, inside the transaction. Its commit, rollback, close and autocommit are refused.
    ///
    /// @return guarded
    public Connection connection() {
        lease.check("Transaction.connection");
        return lease.connection();
    }

    /// Tells the listener how this transaction ends: once, after its end, before `inTransaction` returns.
    ///
    /// @param listener is told; in the order of registration
    public void onOutcome(OutcomeListener listener) {
        lease.check("Transaction.onOutcome");
        listeners.add(Objects.requireNonNull(listener, "listener"));
    }

    /// Names what to look for if the outcome of the commit stays unknown, such as the id of a row it inserts.
    ///
    /// @param lookFor goes into the evidence
    public void reconcileBy(String lookFor) {
        lease.check("Transaction.reconcileBy");
        key = Objects.requireNonNull(lookFor, "lookFor");
    }

    /// Names it in reports and evidence.
    ///
    /// @return such as `photos-42`
    public String id() {
        return id;
    }

    // ---- for the database ----

    String key() {
        return key;
    }

    List<OutcomeListener> listeners() {
        return List.copyOf(listeners);
    }
}
