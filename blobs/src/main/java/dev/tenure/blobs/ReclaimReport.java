package dev.tenure.blobs;

import java.time.Duration;
import java.util.List;

/// What one run of the reclaimer did.
///
/// **Threads:** immutable.
///
/// @param scanned how many blobs it saw
/// @param deleted how many of them nobody referred to: they are gone
/// @param kept how many it left: referred to, younger than the grace age, or in the hands of a request
/// @param failed what it could not decide or delete, with the reason
/// @param directories how many staging directories of dead processes it removed
/// @param stagedFiles how many files were in them
/// @param elapsed how long it took
public record ReclaimReport(
        long scanned,
        long deleted,
        long kept,
        List<Failure> failed,
        int directories,
        int stagedFiles,
        Duration elapsed) {
    /// Copies the list.
    public ReclaimReport {
        failed = List.copyOf(failed);
    }

    /// Something the reclaimer could not do.
    ///
    /// @param what a key or a path, or `referenced keys` if the callback failed
    /// @param reason what happened
    public record Failure(String what, String reason) {}

    @Override
    public String toString() {
        return "reclaimed %d of %d blobs (%d kept, %d failed) and %d staged files of %d dead processes in %d ms"
                .formatted(deleted, scanned, kept, failed.size(), stagedFiles, directories, elapsed.toMillis());
    }
}
