package dev.tenure.uploads;

import java.io.IOException;
import java.nio.file.Path;

/// The disk for uploads refuses or fails: 503.
///
/// **Threads:** the upload's. **Held:** nothing, or a file that is counted as left. **Source:**
/// ADR-0032.
public final class UploadStorageUnavailable extends UploadException {
    private static final long serialVersionUID = 1L;

    UploadStorageUnavailable(String name, Path file, long bytesWritten, IOException cause) {
        super(
                503,
                "uploads can't be stored at present",
                "%s: storage at %s failed after %d bytes of a part: %s: check that it is mounted, writable and healthy"
                        .formatted(name, file, bytesWritten, cause),
                cause);
    }
}
