package dev.tenure.blobs;

import org.jspecify.annotations.Nullable;

/// What a blob store refuses or cannot do.
///
/// **Threads:** immutable. **Fails:** the family is sealed. **Source:** docs/reference/errors.md.
public abstract sealed class BlobException extends RuntimeException
        permits NoSuchBlob, BadBlobKey, BlobsClosed, BlobStorageFull, BlobStorageUnavailable {
    private static final long serialVersionUID = 1L;

    BlobException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
