package dev.tenure.blobs;

/// The store takes nothing more since the process stops.
///
/// **Threads:** the caller's. **Held:** nothing new; what was staged before may be placed. **Source:**
/// design 4.
public final class BlobsClosed extends BlobException {
    private static final long serialVersionUID = 1L;

    /// A refusal.
    ///
    /// @param store the store's name
    /// @param attempt what was tried
    public BlobsClosed(String store, String attempt) {
        super(
                "%s: %s refused: the store is closed; it is disposed of after everything that uses it has drained"
                        .formatted(store, attempt),
                null);
    }
}
