package dev.tenure.uploads;

import dev.tenure.core.Scope;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/// The file of one part, from its creation to its removal.
///
/// **States:** `WRITING -> COMPLETE -> REMOVED | LEFT`. Interrupts would close its channel: writes keep them away.
final class PartFile {
    private final Path path;
    private final FileChannel channel;
    private long bytes;
    private Optional<IOException> removalFailure = Optional.empty();

    private PartFile(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /// Opens a new file for writing: the seam behind which a test has a disk that is full.
    @FunctionalInterface
    interface Opener {
        FileChannel open(Path path) throws IOException;
    }

    /// Creates a file that did not exist.
    static PartFile create(Path path, Opener opener) throws IOException {
        return new PartFile(path, opener.open(path));
    }

    /// Exclusively, for this user alone.
    static FileChannel openNew(Path path) throws IOException {
        var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        return FileChannel.open(path, options, onlyOwner(path));
    }

    private static FileAttribute<?>[] onlyOwner(Path path) {
        var posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    Path path() {
        return path;
    }

    long bytes() {
        return bytes;
    }

    void write(ByteBuffer content) throws IOException {
        var length = content.remaining();
        Scope.shielded(() -> {
            var written = 0;
            while (written < length) {
                written += channel.write(content);
            }
            return written;
        });
        bytes += length;
    }

    /// Nothing more is written.
    void complete() throws IOException {
        channel.close();
    }

    /// Removes the file; a failure is kept for whoever asks. A file that its user has moved away is fine.
    void remove() {
        try {
            channel.close();
            Files.deleteIfExists(path);
            removalFailure = Optional.empty();
        } catch (IOException e) {
            removalFailure = Optional.of(e);
        }
    }

    Optional<IOException> removalFailure() {
        return removalFailure;
    }
}
