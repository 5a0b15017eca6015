package dev.tenure.blobs;

import dev.tenure.blobs.internal.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Tells a full disk from any other failure of it.
record DiskFaults(String store, Disk disk, Path root) {
    private static final long NOTHING_LEFT_BYTES = 16 * 1024;
    private static final List<String> SAYS_FULL =
            List.of("No space left on device", "Disk quota exceeded", "not enough space");

    BlobException of(String attempt, Path path, long bytesWritten, IOException cause) {
        var what = store + ": " + attempt;
        return isFull(cause)
                ? new BlobStorageFull(what, path, bytesWritten, cause)
                : new BlobStorageUnavailable(what, path, bytesWritten, cause);
    }

    // What the system says may be in another language: then the space that is left decides.
    private boolean isFull(IOException cause) {
        var said = String.valueOf(cause.getMessage());
        return SAYS_FULL.stream().anyMatch(said::contains) || nothingLeft();
    }

    private boolean nothingLeft() {
        try {
            return disk.usableBytes(root) < NOTHING_LEFT_BYTES;
        } catch (IOException unknown) {
            return false;
        }
    }
}
