package dev.tenure.blobs;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import dev.tenure.blobs.internal.Disk;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Supervisor;
import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.host.ProcessDirectory;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/// Settings of a [DirectoryBlobs]; opens nothing before its host does.
///
/// **Limits:** `reclaimGrace` 15 min (0 to 365 days); `reclaimEvery` the grace age within 1 s to 15 min (100 ms to
/// 365 days); `reclaimBatch` 500 keys (1 to 10,000). **Threads:** one. **Fails:** with [ConfigurationError] at the
/// setting, or when it is opened: the directory can't be made or written, or its parts are on different file
/// systems.
public final class DirectoryBlobsBuilder implements Part<Blobs> {
    /// Follows the name of a process's directory in the name of its probe.
    static final String PROBE_SUFFIX = ".probe";

    private static final ResourceType<ProcessDirectory> STAGING =
            ResourceType.of("staging directory", ProcessDirectory::close);

    private BlobSettings settings;
    private Disk disk = Disk.local();
    private Optional<BlobKeys> keys = Optional.empty();

    DirectoryBlobsBuilder(Path root) {
        this.settings = BlobSettings.defaults(root);
    }

    /// Names the store in reports and errors. Default: `blobs`.
    ///
    /// @param name a short static label
    /// @return this
    @CanIgnoreReturnValue
    public DirectoryBlobsBuilder named(String name) {
        settings = settings.named(name);
        return this;
    }

    /// How old a blob must be before the reclaimer asks about it: longer than any transaction that may refer to it,
    /// in any process on this directory.
    ///
    /// @param age counted from the placing
    /// @return this
    @CanIgnoreReturnValue
    public DirectoryBlobsBuilder reclaimGrace(Duration age) {
        settings = settings.grace(age);
        return this;
    }

    /// How long the reclaimer rests between two runs.
    ///
    /// @param pause from the end of one run to the next
    /// @return this
    @CanIgnoreReturnValue
    public DirectoryBlobsBuilder reclaimEvery(Duration pause) {
        settings = settings.every(pause);
        return this;
    }

    /// About how many keys the reclaimer asks at once.
    ///
    /// @param keysMax a number the callback's query can take
    /// @return this
    @CanIgnoreReturnValue
    public DirectoryBlobsBuilder reclaimBatch(int keysMax) {
        settings = settings.batch(keysMax);
        return this;
    }

    /// Tells which blobs are in use. Without it no placed blob is ever reclaimed, only what dead processes staged.
    ///
    /// @param callback asked in batches
    /// @return this
    @CanIgnoreReturnValue
    public DirectoryBlobsBuilder referencedBy(ReferencedKeys callback) {
        settings = settings.referenced(callback);
        return this;
    }

    /// For tests: a disk that fails, and keys that collide.
    @CanIgnoreReturnValue
    DirectoryBlobsBuilder on(Disk faulty, Optional<BlobKeys> chosen) {
        disk = faulty;
        keys = chosen;
        return this;
    }

    @Override
    public Blobs open(Host host) {
        return open(Seams.of(host));
    }

    @SuppressWarnings("MustBeClosedChecker") // the store closes it, or this does if anything below throws
    DirectoryBlobs open(Seams seams) {
        var options = Supervisor.Options.DEFAULT
                .with(seams.threads())
                .with(seams.clock())
                .with(seams.observer());
        var owner = Supervisor.open(settings.name(), options);
        try {
            var blobs = assemble(seams, owner);
            blobs.start();
            return blobs;
        } catch (IOException e) {
            owner.close();
            throw new ConfigurationError(
                    "%s.root: %s (expected: a directory that can be made and written): %s"
                            .formatted(settings.name(), settings.root(), e),
                    e);
        } catch (Throwable e) {
            owner.close();
            throw e;
        }
    }

    private DirectoryBlobs assemble(Seams seams, Supervisor owner) throws IOException {
        var objects = Files.createDirectories(settings.root().resolve("objects"));
        var directory = ProcessDirectory.open(settings.root().resolve("staging"));
        owner.own(STAGING, directory);
        checkOneFileSystem(directory.path(), objects);
        var keys = this.keys.orElseGet(() -> new BlobKeys(directory.id()));
        var faults = new DiskFaults(settings.name(), disk, settings.root());
        var store = new DirectoryBlobs.Store(
                new StagingArea(disk, directory.path(), faults),
                new ObjectArea(disk, objects, faults),
                directory,
                keys);
        return new DirectoryBlobs(settings, seams, owner, store);
    }

    // One real move tells more than any comparison of mounts could.
    private void checkOneFileSystem(Path staging, Path objects) throws IOException {
        var probe = staging.resolve("probe");
        var target = objects.resolve(staging.getFileName() + PROBE_SUFFIX);
        disk.create(probe).close();
        try {
            disk.move(probe, target);
        } catch (AtomicMoveNotSupportedException e) {
            throw new ConfigurationError(
                    "%s.root: %s (expected: 'staging' and 'objects' in it on one file system): %s"
                            .formatted(settings.name(), settings.root(), e),
                    e);
        }
        disk.delete(target);
    }
}
