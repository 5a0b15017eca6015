package dev.tenure.uploads;

import dev.tenure.core.Observer;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/// Makes part files and removes them, and tells what could not be removed.
final class PartFiles {
    private static final int NAME_BYTES = 24;
    private static final int ATTEMPTS_MAX = 10;
    private static final long NOTHING_LEFT_BYTES = 16 * 1024;
    private static final List<String> SAYS_FULL =
            List.of("No space left on device", "Disk quota exceeded", "not enough space");

    /// The file of a part; ends with the scope of its callback.
    final ResourceType<PartFile> type = ResourceType.of("part file", this::remove);

    /// A file that could not be removed; tried again at the end of the caller's scope.
    private final ResourceType<PartFile> retryType = ResourceType.of("part file left", this::retry);

    private final String owner;
    private final Path directory;
    private final PartFile.Opener opener;
    private final LiveParts live;
    private final Observer observer;
    private final SecureRandom random = new SecureRandom();

    PartFiles(Place place, LiveParts live, Observer observer) {
        this.owner = place.owner;
        this.directory = place.directory;
        this.opener = place.opener;
        this.live = live;
        this.observer = observer;
    }

    /// Where the files of a component are.
    record Place(String owner, Path directory, PartFile.Opener opener) {}

    /// Creates a file under a name that was free. One that was there before is never ours.
    PartFile create() throws IOException {
        for (var attempt = 1; ; attempt++) {
            try {
                return PartFile.create(directory.resolve(randomName()), opener);
            } catch (FileAlreadyExistsException taken) {
                if (attempt == ATTEMPTS_MAX) {
                    throw taken;
                }
            }
        }
    }

    private String randomName() {
        var bytes = new byte[NAME_BYTES];
        random.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private void remove(PartFile file) {
        file.remove();
        if (!live.removed(file)) {
            var why = file.removalFailure().orElseThrow();
            observer.failed(
                    owner,
                    new IOException(
                            "%s: part file %s could not be removed; tried again with its exchange and process: %s"
                                    .formatted(owner, file.path(), why),
                            why));
        }
    }

    /// Tries once more; the ledger shows a file that is still there.
    void retry(PartFile file) {
        file.remove();
        live.removed(file);
    }

    /// Hands a file that is still there to the scope around its part.
    void leaveTo(Scope around, PartFile file) {
        if (file.removalFailure().isPresent()) {
            around.own(retryType, file);
        }
    }

    UploadException fault(Path path, long bytesWritten, IOException cause) {
        return isFull(cause)
                ? new UploadStorageFull(owner, path, bytesWritten, cause)
                : new UploadStorageUnavailable(owner, path, bytesWritten, cause);
    }

    Path directory() {
        return directory;
    }

    // What the system says may be in another language: then the space that is left decides.
    private boolean isFull(IOException cause) {
        var said = String.valueOf(cause.getMessage());
        return SAYS_FULL.stream().anyMatch(said::contains) || nothingLeft();
    }

    private boolean nothingLeft() {
        try {
            return Files.getFileStore(directory).getUsableSpace() < NOTHING_LEFT_BYTES;
        } catch (IOException unknown) {
            return false;
        }
    }
}
