package dev.tenure.publish;

import dev.tenure.blobs.PlacedBlob;
import dev.tenure.db.Transaction;

/// [PublishWork] with a result.
///
/// **Threads:** the caller's. **Fails:** whatever it throws rolls the transaction back and discards the blob.
///
/// @param <R> the result
@FunctionalInterface
public interface PublishBody<R> {
    /// Runs inside the transaction. Does not commit.
    ///
    /// @param tx the transaction
    /// @param blob has its final key; visible to readers of the row once the transaction has committed
    /// @return the result, which the caller gets if the transaction commits
    /// @throws Exception publishes nothing
    R run(Transaction tx, PlacedBlob blob) throws Exception;
}
