package dev.tenure.db;

/// Work inside a transaction. Returning asks for the commit; throwing, or being cancelled, for the rollback.
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
