package dev.tenure.host;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A directory of this process alone, for files that must not outlive it.
///
/// Beside the directory lies a lock file of the same name, locked for as long as the process lives. Whoever opens a
/// directory under the same parent later takes over what a dead process left: it removes the files, the directory
/// and its lock file. A living process's directory is never touched.
///
/// **Owner:** the component that opened it. **Ends:** by [#close()]; after a crash, when another process takes it
/// over. **States:** `OPEN -> CLOSED`; if something in it can't be removed, the close throws and the next process
/// takes over. **Threads:** any. **Fails:** with `IOException`, naming the path.
public final class ProcessDirectory implements AutoCloseable {
    private static final String PREFIX = "p-";
    private static final String LOCK_SUFFIX = ".lock";
    private static final int ATTEMPTS_MAX = 100;

    private final Path parent;
    private final String id;
    private final Path directory;
    private final Path lockFile;
    private final FileChannel lock;
    private boolean closed; // guarded by this
    private Optional<IOException> failure = Optional.empty(); // guarded by this

    private ProcessDirectory(Path parent, String id, FileChannel lock) {
        this.parent = parent;
        this.id = id;
        this.directory = parent.resolve(PREFIX + thisProcess() + id);
        this.lockFile = lockFile(directory);
        this.lock = lock;
    }

    /// What one sweep over dead processes' directories did.
    ///
    /// @param directories how many directories were taken over and removed
    /// @param files how many files were removed from them
    /// @param failures what could not be removed, with the reason
    public record Sweep(int directories, int files, List<String> failures) {
        /// Copies the list.
        public Sweep {
            failures = List.copyOf(failures);
        }
    }

    /// Makes and locks a new directory under the parent, which is made too if it is missing; sweeps nothing yet.
    ///
    /// @param parent where the directories of all processes are; on a local file system
    /// @return the directory, empty, readable and writable by this user alone
    /// @throws IOException if it can't be made or locked
    public static ProcessDirectory open(Path parent) throws IOException {
        Files.createDirectories(parent);
        var random = new SecureRandom();
        for (var attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            var id = HexFormat.of().toHexDigits(random.nextLong());
            var opened = claim(parent, id);
            if (opened.isPresent()) {
                return opened.get();
            }
        }
        throw new IOException(parent + ": no directory of this process could be claimed in " + ATTEMPTS_MAX
                + " attempts: another process removes the lock files as fast as they appear");
    }

    // A lock file that is new may be taken for a dead one by a sweep until it is locked: then the name is given up.
    private static Optional<ProcessDirectory> claim(Path parent, String id) throws IOException {
        var lockFile = lockFile(parent.resolve(PREFIX + thisProcess() + id));
        FileChannel lock;
        try {
            lock = FileChannel.open(
                    lockFile,
                    Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                    onlyOwner(parent, "rw-------"));
        } catch (FileAlreadyExistsException taken) {
            return Optional.empty();
        }
        var kept = false;
        try {
            if (lock.tryLock() == null || !Files.exists(lockFile, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            var opened = new ProcessDirectory(parent, id, lock);
            Files.createDirectory(opened.directory, onlyOwner(parent, "rwx------"));
            kept = true;
            return Optional.of(opened);
        } finally {
            if (!kept) {
                Files.deleteIfExists(lockFile);
                lock.close();
            }
        }
    }

    /// The directory itself.
    ///
    /// @return its path, under the parent
    public Path path() {
        return directory;
    }

    /// Sixteen random hexadecimal digits that stand for this process.
    ///
    /// @return the id, also part of the directory's name
    public String id() {
        return id;
    }

    /// Removes the directories of dead processes under the same parent; never this process's own or a living one's.
    ///
    /// @return what was removed, and what could not be
    /// @throws IOException if the parent can't be listed
    public Sweep sweep() throws IOException {
        var sweeper = new Sweeper();
        try (DirectoryStream<Path> locks = Files.newDirectoryStream(parent, PREFIX + "*" + LOCK_SUFFIX)) {
            for (var candidate : locks) {
                // Opening a lock file of this very process and closing it again would drop the lock: POSIX.
                if (!candidate.getFileName().toString().startsWith(PREFIX + thisProcess())) {
                    sweeper.takeOver(candidate);
                }
            }
        }
        return new Sweep(sweeper.directories, sweeper.files, sweeper.failures);
    }

    /// Removes the directory with whatever is still in it, then its lock file; every call ends the same way.
    ///
    /// @throws IOException if something could not be removed: it is left, unlocked, for the next process to take
    /// over
    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            failure = retire();
        }
        if (failure.isPresent()) {
            throw new IOException(failure.get().getMessage(), failure.get());
        }
    }

    private Optional<IOException> retire() {
        try (lock) {
            var removed = new Removal();
            removed.remove(directory);
            if (!removed.failures.isEmpty()) {
                return Optional.of(new IOException(directory + ": could not be removed: " + removed.failures));
            }
            Files.deleteIfExists(lockFile);
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e);
        }
    }

    private static Path lockFile(Path directory) {
        return directory.resolveSibling(directory.getFileName() + LOCK_SUFFIX);
    }

    // A process id alone is not enough: in a container every start has the same.
    private static String thisProcess() {
        var self = ProcessHandle.current();
        var started = self.info().startInstant().orElse(Instant.EPOCH).toEpochMilli();
        return self.pid() + "-" + Long.toHexString(started) + "-";
    }

    private static FileAttribute<?>[] onlyOwner(Path path, String permissions) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static final class Sweeper {
        private final List<String> failures = new ArrayList<>();
        private int directories;
        private int files;

        void takeOver(Path lockFile) {
            try (var channel = FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                if (channel.tryLock() != null) {
                    remove(lockFile);
                }
            } catch (NoSuchFileException | OverlappingFileLockException otherSweeper) {
                // Another sweep is at it: there is nothing left to do here.
            } catch (IOException e) {
                failures.add(lockFile + ": " + e);
            }
        }

        private void remove(Path lockFile) throws IOException {
            var name = lockFile.getFileName().toString();
            var removal = new Removal();
            removal.remove(lockFile.resolveSibling(name.substring(0, name.length() - LOCK_SUFFIX.length())));
            files += removal.files;
            failures.addAll(removal.failures);
            if (removal.failures.isEmpty()) {
                Files.deleteIfExists(lockFile);
                directories++;
            }
        }
    }

    private static final class Removal extends SimpleFileVisitor<Path> {
        private final List<String> failures = new ArrayList<>();
        private int files;

        void remove(Path root) throws IOException {
            if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
                Files.walkFileTree(root, this);
            }
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (delete(file)) {
                files++;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            if (!(e instanceof NoSuchFileException)) {
                failures.add(file + ": " + e);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path emptied, @Nullable IOException e) {
            delete(emptied);
            return FileVisitResult.CONTINUE;
        }

        private boolean delete(Path path) {
            try {
                return Files.deleteIfExists(path);
            } catch (IOException e) {
                failures.add(path + ": " + e);
                return false;
            }
        }
    }
}
