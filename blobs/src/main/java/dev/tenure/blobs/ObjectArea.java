package dev.tenure.blobs;

import dev.tenure.blobs.internal.Disk;
import dev.tenure.core.Probe;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/// The files under their final keys.
final class ObjectArea {
    private final Disk disk;
    private final Path directory;
    private final DiskFaults faults;

    ObjectArea(Disk disk, Path directory, DiskFaults faults) {
        this.disk = disk;
        this.directory = directory;
        this.faults = faults;
    }

    Path directory() {
        return directory;
    }

    private Path shard(String key) {
        return directory.resolve(BlobKeys.shard(key));
    }

    private Path file(String key) {
        return shard(key).resolve(key);
    }

    boolean exists(String key) {
        return Files.exists(file(key), LinkOption.NOFOLLOW_LINKS);
    }

    /// Moves a staged file to a key that is free, and makes the name durable; on a failure the key is free again.
    void place(Path staged, String key, Instant now) {
        Probe.before("place", "blob");
        var target = file(key);
        try {
            Files.setLastModifiedTime(staged, FileTime.from(now)); // the grace age counts from here
            ensureShard(shard(key));
            disk.move(staged, target);
        } catch (IOException e) {
            throw faults.of("place", target, 0, e);
        }
        try {
            disk.forceDirectory(shard(key));
            Probe.after("place", "blob");
        } catch (Throwable primary) {
            takeBack(target, primary);
            throw primary instanceof IOException e ? faults.of("place", target, 0, e) : asUnchecked(primary);
        }
    }

    private static RuntimeException asUnchecked(Throwable primary) {
        if (primary instanceof Error error) {
            throw error;
        }
        return (RuntimeException) primary;
    }

    private void takeBack(Path target, Throwable primary) {
        try {
            disk.delete(target);
        } catch (Throwable cleanup) {
            primary.addSuppressed(cleanup); // the reclaimer deletes it
        }
    }

    private void ensureShard(Path shard) throws IOException {
        if (Files.isDirectory(shard, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try {
            Files.createDirectory(shard);
        } catch (FileAlreadyExistsException anotherMadeIt) {
            return;
        }
        disk.forceDirectory(directory);
    }

    FileChannel open(String store, String key) {
        var file = file(key);
        try {
            return disk.open(file);
        } catch (NoSuchFileException e) {
            throw new NoSuchBlob(store, key);
        } catch (IOException e) {
            throw faults.of("open", file, 0, e);
        }
    }

    /// Removes a blob; does nothing if there is none.
    boolean delete(String attempt, String key) {
        var file = file(key);
        try {
            return disk.delete(file);
        } catch (IOException e) {
            throw faults.of(attempt, file, 0, e);
        }
    }
}
