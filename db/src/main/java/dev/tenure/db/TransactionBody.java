package dev.tenure.db;

/// Work inside a transaction. Returning asks for the commit; throwing, or being cancelled, for the
/// rollback.
///
/// **Owner:** the transaction is the caller's of [Database#inTransaction]; its connection is lent for
/// the call. **Threads:** the caller's. **Fails:** see [CommitOutcome.RolledBack]. **Source:** design 7.
///
/// @param <R> the result
@FunctionalInterface
public interface TransactionBody<R> {
    /// Runs inside the transaction.
    ///
    /// @param tx the transaction, valid until this call returns
    /// @return the result
    /// @throws Exception rolls back, and is then the cause of the outcome
    R run(Transaction tx) throws Exception;
}
