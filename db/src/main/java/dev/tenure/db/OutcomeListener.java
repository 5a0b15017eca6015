package dev.tenure.db;

/// Is told how a transaction ended. See [Transaction#onOutcome].
@FunctionalInterface
public interface OutcomeListener {
    /// The transaction has ended. Called once, shielded from interrupts, after the lease was given back.
    ///
    /// @param end how
    /// @throws Exception does not change the outcome: it is suppressed onto the cause of a rollback, or told to the
    /// observer
    void ended(CommitOutcome.End end) throws Exception;
}
