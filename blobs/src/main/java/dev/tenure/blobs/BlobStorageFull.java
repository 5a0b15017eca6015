package dev.tenure.blobs;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The disk, or this user's share of it, is full. Nothing of the blob is visible and no staged file is
/// left.
///
/// A server answers 507.
///
/// **Threads:** the caller's. **Held:** nothing. **Source:** ADR-0030.
public final class BlobStorageFull extends BlobException {
    private static final long serialVersionUID = 1L;

    private final long bytesWritten;

    /// A failure for want of space.
    ///
    /// @param attempt what was tried, by which store
    /// @param path where
    /// @param bytesWritten how many bytes had fitted
    /// @param cause what the system said
    public BlobStorageFull(String attempt, Path path, long bytesWritten, @Nullable Throwable cause) {
        super(
                "%s: no space left at %s after %d bytes: free space or raise the quota, then send it again"
                        .formatted(attempt, path, bytesWritten),
                cause);
        this.bytesWritten = bytesWritten;
    }

    /// How many bytes had fitted.
    ///
    /// @return zero if not even the file could be made
    public long bytesWritten() {
        return bytesWritten;
    }
}
