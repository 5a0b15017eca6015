package dev.tenure.examples.photos;

import dev.tenure.host.Component;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Part;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/// The directory under `--data`, held by one process at a time.
///
/// **Owner:** the host. **Ends:** after all that was opened in it: its lock goes with the process, however that
/// ends. **Threads:** one opens it, one closes it. **Fails:** [ConfigurationError] if it cannot be made or
/// written, or another process holds it.
final class DataDirectory implements Component {
    private final FileChannel lock;

    private DataDirectory(FileChannel lock) {
        this.lock = lock;
    }

    static Part<DataDirectory> at(Path directory) {
        return _ -> new DataDirectory(lock(directory));
    }

    private static FileChannel lock(Path directory) {
        try {
            Files.createDirectories(directory);
            var file = FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (isLocked(file)) {
                return file;
            }
            file.close();
        } catch (IOException failure) {
            throw new ConfigurationError(
                    "--data: %s (expected: a directory that can be made and written; %s)"
                            .formatted(directory, reason(failure)),
                    failure);
        }
        throw ConfigurationError.of("--data", directory, "a directory that no other process uses");
    }

    /// What the system says without the path, which is said already.
    private static String reason(IOException failure) {
        return switch (failure) {
            case FileAlreadyExistsException _ -> "a file is in its place";
            case AccessDeniedException _ -> "this user may not";
            case FileSystemException told when told.getReason() != null -> told.getReason();
            default -> "the system does not let it be made there";
        };
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return Optional.ofNullable(file.tryLock()).isPresent();
        } catch (OverlappingFileLockException here) {
            return false;
        }
    }

    @Override
    public String name() {
        return "data directory";
    }

    @Override
    public Set<Phase> phases() {
        return Set.of(Phase.DISPOSE_DEPENDENCIES);
    }

    @Override
    public void enter(Phase phase, Stop stop) throws IOException {
        lock.close();
    }
}
