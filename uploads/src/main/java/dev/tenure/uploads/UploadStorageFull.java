package dev.tenure.uploads;

import java.io.IOException;
import java.nio.file.Path;

/// The disk for uploads is full: 507. The part's file is gone.
///
/// **Threads:** the upload's. **Held:** nothing. **Source:** ADR-0032.
public final class UploadStorageFull extends UploadException {
    private static final long serialVersionUID = 1L;

    UploadStorageFull(String name, Path file, long bytesWritten, IOException cause) {
        super(
                507,
                "no space left for this upload",
                "%s: no space left at %s after %d bytes of a part: free space or lower the limits of uploads"
                        .formatted(name, file, bytesWritten),
                cause);
    }
}
