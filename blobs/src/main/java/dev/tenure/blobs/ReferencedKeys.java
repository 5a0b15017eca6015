package dev.tenure.blobs;

import java.util.Collection;
import java.util.Set;

/// Tells the reclaimer which blobs are in use: normally one query for all the keys it asks about.
///
/// **Threads:** called on a task of the store, or on the caller of [Blobs#reclaim]; one at a time.
@FunctionalInterface
public interface ReferencedKeys {
    /// Which of these keys a committed row refers to. Every key that is missing in the answer is deleted.
    ///
    /// @param keys at most as many as the reclaimer's batch
    /// @return those of them that are referred to; others are ignored
    /// @throws Exception ends the run: nothing of this batch is deleted
    Set<String> referenced(Collection<String> keys) throws Exception;
}
