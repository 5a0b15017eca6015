package dev.tenure.db;

import dev.tenure.core.OwnershipException;
import dev.tenure.core.Probe;
import dev.tenure.core.Scope;
import dev.tenure.db.CommitOutcome.Committed;
import dev.tenure.db.CommitOutcome.Evidence;
import dev.tenure.db.CommitOutcome.RolledBack;
import dev.tenure.db.CommitOutcome.Unknown;
import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.db.internal.dialect.Faults;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// One run of a transaction: begin, the callback, and exactly one end.
///
/// **States:** begun, then `COMMITTED`, `ROLLED_BACK` or `UNKNOWN`. Nothing is thrown once it has begun.
final class TransactionRun<R> {
    private final Settings settings;
    private final String id;
    private @Nullable Transaction tx;
    private @Nullable CommitOutcome<R> outcome;

    TransactionRun(Settings settings, String id) {
        this.settings = settings;
        this.id = id;
    }

    /// Runs it; the outcome stands when this returns.
    void in(Scope owner, JdbcLease borrowed, TransactionBody<R> body) {
        Transaction begun = new Transaction(id, borrowed);
        tx = begun;
        outcome = run(owner, borrowed, begun, body);
    }

    private CommitOutcome<R> run(Scope owner, JdbcLease on, Transaction begun, TransactionBody<R> body) {
        R value;
        try {
            begin(on);
            value = call(on, begun, body);
            readyToCommit(owner, on);
            Probe.before("commit", "tx");
        } catch (Throwable primary) {
            return rollBack(on, primary);
        }
        return commit(on, begun, value);
    }

    private void begin(JdbcLease on) throws Exception {
        Probe.before("begin", "tx");
        try {
            on.borrowed().begin();
        } catch (SQLException e) {
            throw translated(on, e);
        }
        Probe.after("begin", "tx");
    }

    /// What the callback leaves to its scope ends inside the transaction.
    private R call(JdbcLease on, Transaction begun, TransactionBody<R> body) throws Exception {
        try (Scope home = Scope.open("in " + id)) {
            on.lentTo(home);
            R value = body.run(begun);
            home.checkpoint();
            return value;
        }
    }

    /// The last look before COMMIT: afterwards nothing stops it.
    private void readyToCommit(Scope owner, JdbcLease on) throws Exception {
        on.check("COMMIT");
        on.borrowed().closeStatements();
        var lostBy = on.borrowed().lostBy();
        if (lostBy.isPresent()) {
            throw translated(on, lostBy.get());
        }
        owner.checkpoint();
    }

    private static Exception translated(JdbcLease on, SQLException failure) {
        Fault fault = Faults.of(failure);
        return fault.isStorage() ? on.unavailable(fault, failure) : failure;
    }

    private CommitOutcome<R> commit(JdbcLease on, Transaction begun, R value) {
        long sent = settings.timeSource().nanos();
        try {
            on.borrowed().commit();
        } catch (SQLException e) {
            if (Faults.of(e).isDefinite()) {
                return rollBack(on, translated(on, e));
            }
            return unknown(on, begun, sent, e);
        } catch (RuntimeException | Error e) {
            return unknown(on, begun, sent, e);
        }
        isolated(() -> Probe.after("commit", "tx"));
        return new Committed<>(value);
    }

    /// The connection is closed with its lease, so that nothing of this transaction reaches the next borrower.
    private CommitOutcome<R> unknown(JdbcLease on, Transaction begun, long sent, Throwable failure) {
        on.borrowed().doubt();
        var waited = Duration.ofNanos(settings.timeSource().nanos() - sent);
        return new Unknown<>(new Evidence(settings.name(), id, begun.key(), waited, failure));
    }

    private CommitOutcome<R> rollBack(JdbcLease on, Throwable primary) {
        if (!on.borrowed().isInside()) {
            return new RolledBack<>(primary);
        }
        try {
            Probe.before("rollback", "tx");
        } catch (Throwable injected) { // whatever it is, the primary stays, and the transaction is rolled back
            primary.addSuppressed(injected);
        }
        try {
            on.borrowed().rollback();
        } catch (SQLException | RuntimeException | Error e) {
            on.borrowed().doubt();
            return new RolledBack<>(notConfirmed(on, primary, e));
        }
        isolated(() -> Probe.after("rollback", "tx"));
        return new RolledBack<>(primary);
    }

    /// A transaction end that failed outranks why it was to end, and carries it.
    private RollbackFailed notConfirmed(JdbcLease on, Throwable primary, Throwable failure) {
        var failed = new RollbackFailed(
                "%s: transaction %s: ROLLBACK was not confirmed: %s; its connection is closed instead"
                        .formatted(on.place(), id, failure),
                failure);
        failed.addSuppressed(primary);
        return failed;
    }

    /// Something around the lease failed. It cannot change how the transaction ended.
    void failedAfterEnd(OwnershipException failure) {
        if (outcome == null) {
            throw failure;
        }
        note(failure);
    }

    /// Tells the listeners, after the lease was given back.
    ///
    /// @return the outcome
    CommitOutcome<R> concluded() {
        CommitOutcome<R> end = Objects.requireNonNull(outcome);
        Scope.shielded(() -> {
            for (OutcomeListener listener : Objects.requireNonNull(tx).listeners()) {
                isolated(() -> listener.ended(end.end()));
            }
            return end;
        });
        return end;
    }

    private interface Telling {
        void tell() throws Exception;
    }

    private void isolated(Telling telling) {
        try {
            telling.tell();
        } catch (Exception | Error e) {
            note(e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // an exception cannot be suppressed onto itself
    private void note(Throwable failure) {
        if (outcome instanceof RolledBack<R>(Throwable cause) && cause != failure) {
            cause.addSuppressed(failure);
        } else {
            settings.observer().failed("database '" + settings.name() + "', transaction " + id, failure);
        }
    }
}
