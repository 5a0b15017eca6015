package dev.tenure.http.internal.files;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/// A directory that nobody leaves. Its links are resolved once, when this is made; from then on the very same
/// directory is meant, and every step below it is taken relative to an open handle and follows no link.
///
/// **Owner:** nobody: between calls nothing is open. **Ends:** each call closes the handles of its way down; the
/// file's is the caller's. **Threads:** any. **Fails:** [IOException]; what is not a plain file of this directory is
/// empty.
public final class ConfinedDirectory {
    private static final int ATTEMPTS = 3;

    /// An open file and what is known of it.
    ///
    /// @param channel the caller's to close
    /// @param size bytes
    /// @param modified when it was last written
    public record OpenFile(SeekableByteChannel channel, long size, Instant modified) {
        /// A strong tag: another content, size or file has another one.
        ///
        /// @return without quotes
        public String tag() {
            long nanos = modified.getEpochSecond() * 1_000_000_000L + modified.getNano();
            return Long.toHexString(nanos) + "-" + Long.toHexString(size);
        }
    }

    private final Path root;
    private final Object key;

    private ConfinedDirectory(Path root, Object key) {
        this.root = root;
        this.key = key;
    }

    /// Resolves a directory.
    ///
    /// @param path may be a link, and lead through links
    /// @return the directory that it leads to now
    /// @throws IOException if it is none, or its file system has no handles to be relative to
    public static ConfinedDirectory resolve(Path path) throws IOException {
        Path real = path.toRealPath();
        try (var handle = Files.newDirectoryStream(real)) {
            var secure = secure(handle, real);
            return new ConfinedDirectory(real, key(attributes(secure)));
        }
    }

    private static SecureDirectoryStream<Path> secure(DirectoryStream<Path> handle, Path path) throws IOException {
        if (handle instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        throw new FileSystemException(path.toString(), null, "its file system has no secure directory handles");
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> handle) throws IOException {
        return handle.getFileAttributeView(BasicFileAttributeView.class).readAttributes();
    }

    private static Object key(BasicFileAttributes attributes) throws IOException {
        Object key = attributes.fileKey();
        if (key == null) {
            throw new IOException("its file system has no file keys");
        }
        return key;
    }

    /// Opens a file for reading.
    ///
    /// @param path below this directory
    /// @return empty if there is no plain file, or a link on the way to it
    /// @throws IOException if it is there and can't be read
    public Optional<OpenFile> open(SafePath path) throws IOException {
        try (var handle = Files.newDirectoryStream(root)) {
            var secure = secure(handle, root);
            boolean same = key(attributes(secure)).equals(key);
            return same ? open(secure, path.names()) : Optional.empty();
        } catch (InvalidPathException _) {
            return Optional.empty();
        } catch (FileSystemException absent) {
            if (Files.isDirectory(root, NOFOLLOW_LINKS) && !isAbsent(absent)) {
                throw absent;
            }
            return Optional.empty();
        }
    }

    /// Missing, a link where none is followed, or a file where a directory should be: all are "not there" to a
    /// client.
    private static boolean isAbsent(FileSystemException failure) {
        String reason = Objects.requireNonNullElse(failure.getReason(), "");
        return failure instanceof NoSuchFileException
                || failure instanceof NotDirectoryException
                || failure instanceof AccessDeniedException
                || reason.contains("symbolic links")
                || reason.contains("symlink")
                || reason.contains("Not a directory")
                || reason.contains("File name too long");
    }

    private static Optional<OpenFile> open(SecureDirectoryStream<Path> directory, List<String> names)
            throws IOException {
        Path name = Path.of(names.getFirst());
        if (names.size() == 1) {
            return openFile(directory, name);
        }
        // Looked at first: JDK 25 leaks a descriptor when it opens as a directory what is none.
        if (!attributes(directory, name).isDirectory()) {
            return Optional.empty();
        }
        try (var below = directory.newDirectoryStream(name, NOFOLLOW_LINKS)) {
            return open(below, names.subList(1, names.size()));
        }
    }

    /// Opens what is proved to be one and the same plain file before and after.
    private static Optional<OpenFile> openFile(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            var before = attributes(directory, name);
            if (!before.isRegularFile()) {
                return Optional.empty();
            }
            var channel = directory.newByteChannel(name, Set.of(StandardOpenOption.READ, NOFOLLOW_LINKS));
            boolean handed = false;
            try {
                var after = attributes(directory, name);
                if (isSame(before, after) && channel.size() == after.size()) {
                    handed = true;
                    return Optional.of(new OpenFile(
                            channel, after.size(), after.lastModifiedTime().toInstant()));
                }
            } finally {
                if (!handed) {
                    channel.close();
                }
            }
        }
        throw new IOException("the file is replaced too often to be served");
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> directory, Path name) throws IOException {
        return directory
                .getFileAttributeView(name, BasicFileAttributeView.class, NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static boolean isSame(BasicFileAttributes one, BasicFileAttributes other) {
        return Objects.equals(one.fileKey(), other.fileKey())
                && one.size() == other.size()
                && one.lastModifiedTime().equals(other.lastModifiedTime());
    }

    @Override
    public String toString() {
        return "directory " + root;
    }
}
