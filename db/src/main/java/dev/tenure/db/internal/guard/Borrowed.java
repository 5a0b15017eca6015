package dev.tenure.db.internal.guard;

import dev.tenure.core.Scope;
import dev.tenure.db.internal.dialect.Dialect;
import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.db.internal.dialect.Faults;
import dev.tenure.db.internal.dialect.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A connection while it is lent: its guarded face for the borrower, and the transaction for the lender.
///
/// **Owner:** the lease. **Ends:** [#seal()]. **States:** autocommit, or inside a transaction, which the database may
/// have ended by itself ([#lostBy()]): the borrower is inside an empty one then, that only rolls back. **Threads:**
/// the lease's; [#cancel()] and [#seal()] any.
public final class Borrowed {
    private final Connection raw;
    private final Dialect dialect;
    private final Refusals refusals;
    private final Calls calls;
    private final Connection face;

    // Written and read by the lease's thread, and by who seals after that.
    private boolean inside;
    private boolean altered;
    private boolean inDoubt;
    private @Nullable SQLException lostBy;

    /// Lends a connection to the calling thread.
    ///
    /// @param raw the connection
    /// @param dialect its database
    /// @param refusals makes what is thrown at a misuse
    /// @param patience limits
    public Borrowed(Connection raw, Dialect dialect, Refusals refusals, Patience patience) {
        this.raw = raw;
        this.dialect = dialect;
        this.refusals = refusals;
        this.calls = new Calls(refusals, patience);
        this.face = GuardedConnection.of(this, raw);
    }

    /// What the borrower sees.
    ///
    /// @return the guarded connection
    public Connection guarded() {
        return face;
    }

    /// Says in which scope the borrower's callback runs; scopes inside it may end single calls.
    ///
    /// @param scope opened after the lease began
    public void home(Scope scope) {
        calls.home(scope);
    }

    /// Begins a transaction, waiting for a lock that another process has.
    ///
    /// @throws SQLException if it did not begin
    public void begin() throws SQLException {
        calls.runPatiently("BEGIN", null, () -> {
            dialect.begin(raw);
            return true;
        });
        inside = true;
    }

    /// Whether the lease was taken away while it was in use, or its connection can no longer be trusted.
    ///
    /// @return true if the transaction can only be ended by closing the connection
    public boolean isTaken() {
        return calls.isSealed();
    }

    /// Sends COMMIT and waits for its answer, whatever is cancelled meanwhile.
    ///
    /// @throws SQLException if the answer was an error or did not come
    public void commit() throws SQLException {
        control("COMMIT", dialect::commit);
        inside = false;
    }

    /// Rolls back.
    ///
    /// @throws SQLException if the rollback is not confirmed
    public void rollback() throws SQLException {
        control("ROLLBACK", dialect::rollback);
        inside = false;
    }

    private interface Control {
        void on(Connection connection) throws SQLException;
    }

    /// After a seal the connection is closed instead, which ends its transaction.
    private void control(String name, Control control) throws SQLException {
        if (calls.isSealed()) {
            inDoubt = true;
            return;
        }
        calls.run(name, null, () -> {
            control.on(raw);
            return true;
        });
    }

    /// Whether a transaction is open.
    ///
    /// @return false in autocommit
    public boolean isInside() {
        return inside;
    }

    /// The failure at which the database ended the transaction by itself.
    ///
    /// @return empty if it did not
    public Optional<SQLException> lostBy() {
        return Optional.ofNullable(lostBy);
    }

    /// Closes the statements that the borrower left open.
    ///
    /// @throws SQLException the first failure
    public void closeStatements() throws SQLException {
        calls.closeOpen();
    }

    /// Ends the running statement and dooms those opened before; later ones work.
    public void cancel() {
        calls.cancel();
    }

    /// Refuses unless the lease lives and its own thread calls.
    ///
    /// @param call what is being called
    public void check(String call) {
        calls.checkOwner(call);
    }

    /// Ends the borrower's use.
    ///
    /// @return whether no call is running
    public boolean seal() {
        return calls.seal();
    }

    /// Never lend this connection again: closing it ends what it was in the middle of.
    public void doubt() {
        inDoubt = true;
        inside = false;
    }

    /// Brings the connection back to how it was lent, as far as that can be done.
    ///
    /// @return whether it may be lent again
    public boolean reset() {
        try {
            calls.closeOpen();
        } catch (SQLException e) {
            inDoubt = true;
        }
        return !inDoubt && !altered && !calls.hasLeftOpen() && isReset();
    }

    private boolean isReset() {
        try {
            return Shield.run(() -> {
                dialect.reset(raw);
                return true;
            });
        } catch (SQLException e) {
            inDoubt = true;
            refusals.notLentAgain(e);
            return false;
        }
    }

    // ---- for the guards ----

    Calls calls() {
        return calls;
    }

    boolean hasQueryTimeout() {
        return dialect.hasQueryTimeout();
    }

    RuntimeException refused(String call, String instead) {
        return refusals.refused(call, instead);
    }

    /// Refuses a text that would begin or end a transaction.
    void read(String call, String sql) {
        SqlText.transactionWord(sql).ifPresent(word -> {
            throw refusals.refused(
                    call + "(\"" + word + "\")",
                    "inTransaction begins and ends transactions: return to commit, or throw");
        });
        altered |= SqlText.changesSettings(sql);
    }

    <R> R call(String name, @Nullable Statement target, Step<R> step) throws SQLException {
        try {
            return calls.run(name, target, step);
        } catch (SQLException e) {
            throw failed(name, e);
        }
    }

    /// A statement: outside a transaction it waits for its lock, inside one it has it.
    <R> R execute(String name, Statement target, Step<R> step) throws SQLException {
        try {
            return inside ? calls.run(name, target, step) : calls.runPatiently(name, target, step);
        } catch (SQLException e) {
            throw failed(name, e);
        }
    }

    private SQLException failed(String name, SQLException failure) {
        boolean byCancel = calls.endedByCancel(failure);
        lookForLoss(failure);
        if (byCancel) {
            throw refusals.cancelled(name);
        }
        Fault fault = Faults.of(failure);
        inDoubt |= fault.isBroken();
        if (fault.isStorage()) {
            throw refusals.unavailable(fault, failure);
        }
        return failure;
    }

    private void lookForLoss(SQLException failure) {
        if (!inside || lostBy != null) {
            return;
        }
        try {
            if (calls.run("BEGIN", null, () -> dialect.lost(raw))) {
                lostBy = failure;
            }
        } catch (SQLException unknown) {
            failure.addSuppressed(unknown);
            lostBy = failure;
            inDoubt = true;
            calls.seal();
        }
    }
}
