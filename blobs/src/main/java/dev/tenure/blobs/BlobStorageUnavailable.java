package dev.tenure.blobs;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The disk refuses or fails: read-only, no permission, moved to another file system, or broken.
/// Nothing is half visible.
///
/// A server answers 503.
///
/// **Threads:** the caller's; a run of the reclaimer tells the observer. **Held:** nothing. **Source:**
/// ADR-0030.
public final class BlobStorageUnavailable extends BlobException {
    private static final long serialVersionUID = 1L;

    /// A failure of the disk.
    ///
    /// @param attempt what was tried, by which store
    /// @param path where
    /// @param bytesWritten how many bytes had been written
    /// @param cause what the system said
    public BlobStorageUnavailable(String attempt, Path path, long bytesWritten, @Nullable Throwable cause) {
        super(
                "%s: storage at %s failed after %d bytes: %s: check that it is mounted, writable and healthy"
                        .formatted(attempt, path, bytesWritten, cause),
                cause);
    }
}
