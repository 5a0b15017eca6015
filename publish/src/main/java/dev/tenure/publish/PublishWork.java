package dev.tenure.publish;

import dev.tenure.blobs.PlacedBlob;
import dev.tenure.db.Transaction;

/// Writes the rows that refer to a blob, and enqueues the jobs that follow from it.
///
/// **Threads:** the caller's. **Fails:** whatever it throws rolls the transaction back and discards the blob.
@FunctionalInterface
public interface PublishWork {
    /// Runs inside the transaction. Does not commit.
    ///
    /// @param tx the transaction
    /// @param blob has its final key; visible to readers of the row once the transaction has committed
    /// @throws Exception publishes nothing
    void run(Transaction tx, PlacedBlob blob) throws Exception;
}
