package dev.tenure.db;

/// Is told how a transaction ended. See [Transaction#onOutcome].
///
/// **Ends:** told once, after the lease was released and before `inTransaction` returns. **Threads:**
/// the transaction's. **Fails:** to the observer; the outcome and the other listeners are untouched.
/// **Source:** design 7.
@FunctionalInterface
public interface OutcomeListener {
    /// The transaction has ended. Called once, shielded from interrupts, after the lease was given back.
    ///
    /// @param end how
    /// @throws Exception does not change the outcome: it is suppressed onto the cause of a rollback, or
    /// told to the observer
    void ended(CommitOutcome.End end) throws Exception;
}
