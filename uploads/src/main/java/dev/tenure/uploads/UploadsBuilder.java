package dev.tenure.uploads;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.ProcessDirectory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;

/// Settings of [Uploads]; opens nothing before its host does.
///
/// **Limits:** `partsMax` 100 (1 to 10,000); `partHeadBytesMax` 8 KiB (128 B to 64 KiB); `partBytesMax` 1 MiB (1 B
/// to 1 TiB); `totalBytesMax` 8 times `partBytesMax` (`partBytesMax` to 1 TiB). The route's own limit on the body
/// holds too. **Threads:** one. **Fails:** with [ConfigurationError] at the setting, or when it is opened.
public final class UploadsBuilder implements dev.tenure.host.Part<Uploads> {
    private UploadSettings settings;
    private PartFile.Opener opener = PartFile::openNew;

    UploadsBuilder(Path directory) {
        this.settings = UploadSettings.defaults(directory);
    }

    /// Names the component in reports and errors. Default: `uploads`.
    ///
    /// @param name a short static label
    /// @return this
    @CanIgnoreReturnValue
    public UploadsBuilder named(String name) {
        settings = settings.named(name);
        return this;
    }

    /// How many parts a body may have.
    ///
    /// @param parts with those nobody asked for
    /// @return this
    @CanIgnoreReturnValue
    public UploadsBuilder partsMax(int parts) {
        settings = settings.partsMax(parts);
        return this;
    }

    /// How long the head of a part may be.
    ///
    /// @param bytes with its line ends
    /// @return this
    @CanIgnoreReturnValue
    public UploadsBuilder partHeadBytesMax(int bytes) {
        settings = settings.partHeadBytesMax(bytes);
        return this;
    }

    /// How long the content of a part may be.
    ///
    /// @param bytes its file's length at most
    /// @return this
    @CanIgnoreReturnValue
    public UploadsBuilder partBytesMax(long bytes) {
        settings = settings.partBytesMax(bytes, Optional.empty());
        return this;
    }

    /// How long the content of a part may be, and what a client is told that sends more.
    ///
    /// @param bytes its file's length at most
    /// @param sentence one line, sent with 413
    /// @return this
    @CanIgnoreReturnValue
    public UploadsBuilder partBytesMax(long bytes, String sentence) {
        settings = settings.partBytesMax(bytes, Optional.of(sentence));
        return this;
    }

    /// How long a body may be.
    ///
    /// @param bytes with heads, boundaries and whatever stands around them
    /// @return this
    @CanIgnoreReturnValue
    public UploadsBuilder totalBytesMax(long bytes) {
        settings = settings.totalBytesMax(bytes);
        return this;
    }

    /// For tests: a disk that fails.
    @CanIgnoreReturnValue
    UploadsBuilder on(PartFile.Opener faulty) {
        opener = faulty;
        return this;
    }

    /// What the system says without the path, which is said already.
    private static String reason(IOException failure) {
        return switch (failure) {
            case FileAlreadyExistsException _, NotDirectoryException _ -> "a file is in its place";
            case AccessDeniedException _ -> "this user may not";
            case FileSystemException told when told.getReason() != null -> told.getReason();
            default -> "it can't be had";
        };
    }

    @Override
    public Uploads open(Host host) {
        var limits = settings.limits();
        try {
            var directory = ProcessDirectory.open(settings.directory());
            var place = new PartFiles.Place(settings.name(), directory.path(), opener);
            return new Uploads(limits, place, directory, host).sweptAtStart();
        } catch (IOException e) {
            throw new ConfigurationError(
                    "%s.directory: %s (expected: a directory that can be made and written; %s)"
                            .formatted(settings.name(), settings.directory(), reason(e)),
                    e);
        }
    }
}
