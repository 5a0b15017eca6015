package dev.tenure.jobs;

import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Database;
import dev.tenure.db.TransactionBody;

/// Runs a transaction of the worker, whose failure to begin is an outcome like any other.
record Writes(Database database) {
    <R> CommitOutcome<R> run(TransactionBody<R> body) {
        try {
            return database.inTransaction(body);
        } catch (RuntimeException neverBegun) {
            return new CommitOutcome.RolledBack<>(neverBegun);
        }
    }

    /// What to tell of an outcome that is not a commit.
    static Throwable failure(CommitOutcome<?> outcome) {
        return switch (outcome) {
            case CommitOutcome.RolledBack<?>(Throwable cause) -> cause;
            case CommitOutcome.Unknown<?>(CommitOutcome.Evidence evidence) ->
                new IllegalStateException("the outcome of its commit is unknown: " + evidence, evidence.failure());
            case CommitOutcome.Committed<?> _ -> new IllegalStateException("committed");
        };
    }
}
