package dev.tenure.blobs;

/// There are no bytes under this key: they were deleted, or never placed.
///
/// **Threads:** the caller's. **Held:** nothing. **Source:** design 7.
public final class NoSuchBlob extends BlobException {
    private static final long serialVersionUID = 1L;

    private final String key;

    /// A miss.
    ///
    /// @param store the store's name
    /// @param key a valid key
    public NoSuchBlob(String store, String key) {
        super(
                "%s: no blob '%s': it was deleted or never settled; if a row still refers to it, that row is wrong"
                        .formatted(store, key),
                null);
        this.key = key;
    }

    /// The key.
    ///
    /// @return as it was asked for
    public String key() {
        return key;
    }
}
