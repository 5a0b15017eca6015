package dev.tenure.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.blobs.FaultyDisk.Effect;
import dev.tenure.core.Observer;
import dev.tenure.core.Threads;
import dev.tenure.host.ConfigurationError;
import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// C106: staging and target on different mounts; a reader that polls; a kill in the middle; no permission; disk
/// full.
///
/// As root each variant runs on real mounts and file attributes; otherwise the disk's seam stands in. The line it
/// prints says which.
@ExtendWith(LeakCheck.class)
class C106_StagingOnAnotherFileSystemTest {
    private static final long BLOB_BYTES = Boolean.getBoolean("tenure.soak") ? 500_000_000 : 24_000_000;

    private static final long SMALL_BYTES = 200_000;

    @TempDir
    Path root;

    private final Set<Path> whole = new HashSet<>();

    @Test
    void C106_stagingOnAnotherMount_isRefusedAtStartUp() throws Exception {
        Files.createDirectories(root.resolve("staging"));
        var mount = tmpfs(root.resolve("staging"), "1m");
        try {
            var disk = new FaultyDisk();
            if (mount.isEmpty()) {
                disk.fail(Effect.MOVE, 0, () -> new AtomicMoveNotSupportedException("a", "b", "cross-device link"));
            }
            assertThatThrownBy(() -> open(disk))
                    .isInstanceOf(ConfigurationError.class)
                    .hasMessageContaining("blobs.root: " + root)
                    .hasMessageContaining("on one file system");
            assertThat(Bench.files(root)).isEmpty();
        } finally {
            unmount(mount);
        }
    }

    private DirectoryBlobs open(FaultyDisk disk) {
        var clock = new FakeClock();
        var seams = new Seams(clock, clock, Threads.system(), Observer.none());
        return DirectoryBlobs.in(root).on(disk, Optional.empty()).open(seams);
    }

    @Test
    void C106_readerThatPolls_seesNothingOrAll_alsoWhenTheWriterIsKilled() throws Exception {
        try (var child = ChildJvm.start(StagingChild.class, root.toString(), "publish", String.valueOf(BLOB_BYTES))) {
            child.awaitLine("publishing");
            var looks = 0;
            var read = 0;
            while (Bench.files(root.resolve("objects")).size() < 3 || !isHalfStaged()) {
                read += assertWholeBlobsOnly();
                assertThat(child.isAlive()).as("child: %s", child.lines()).isTrue();
                looks++;
            }
            child.signal(ChildJvm.Signal.KILL);
            child.awaitExit();
            assertThat(read).as("blobs read while others were published").isPositive();
            System.out.printf(
                    "C106: %d looks, %d blobs of %d bytes read to their end meanwhile, then a kill%n",
                    looks, read, BLOB_BYTES);
        }
        assertWholeBlobsOnly();
        try (var bench = Bench.on(root)) {
            assertThat(bench.staged()).isEmpty();
            for (var key : bench.objects()) {
                assertThat(isPattern(root.resolve("objects")
                                .resolve(BlobKeys.shard(key))
                                .resolve(key)))
                        .isTrue();
            }
        }
    }

    // In the middle of a stage, so that the kill meets one.
    private boolean isHalfStaged() throws IOException {
        return listing(root.resolve("staging")).stream()
                .flatMap(directory -> listing(directory).stream())
                .mapToLong(C106_StagingOnAnotherFileSystemTest::sizeOf)
                .anyMatch(size -> size > BLOB_BYTES / 4 && size < BLOB_BYTES);
    }

    private static List<Path> listing(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (var names = Files.newDirectoryStream(directory)) {
            return StreamSupport.stream(names.spliterator(), false).toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// Opens every name that is there and reads it to its end, as a reader does.
    private int assertWholeBlobsOnly() throws IOException {
        var read = 0;
        try (var walk = Files.walk(root.resolve("objects"))) {
            for (var file : (Iterable<Path>) walk.filter(Files::isRegularFile)::iterator) {
                if (!file.toString().endsWith(DirectoryBlobsBuilder.PROBE_SUFFIX) && whole.add(file)) {
                    assertThat(isPattern(file)).as("%s is whole", file).isTrue();
                    read++;
                }
            }
        }
        return read;
    }

    /// At each step of a publish: the child stops there, and is killed. A name is there from the placing on, whole.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "stage/blob:before",
                "force/blob:before",
                "force/blob:after",
                "stage/blob:after",
                "place/blob:before",
                "place/blob:after",
                "settle/blob:before",
                "settle/blob:after"
            })
    void C106_killAtEachStep_leavesNothingOrAll(String step) throws Exception {
        var bytes = String.valueOf(SMALL_BYTES);
        try (var child = ChildJvm.start(StagingChild.class, root.toString(), "publish", bytes, step)) {
            child.awaitLine("at " + step);
            child.signal(ChildJvm.Signal.KILL);
            child.awaitExit();
        }
        var visible = step.startsWith("settle") || step.equals("place/blob:after") ? 1 : 0;
        try (var bench = Bench.on(root)) {
            assertThat(bench.staged()).as("what the dead process staged").isEmpty();
            assertThat(bench.objects()).hasSize(visible);
            for (var key : bench.objects()) {
                var file = root.resolve("objects").resolve(BlobKeys.shard(key)).resolve(key);
                assertThat(isPattern(file, SMALL_BYTES)).isTrue();
            }
        }
    }

    private static long sizeOf(Path file) {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return -1;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isPattern(Path file) throws IOException {
        return isPattern(file, BLOB_BYTES);
    }

    private static boolean isPattern(Path file, long bytes) throws IOException {
        try (var actual = Files.newInputStream(file)) {
            var expected = new StagingChild.Pattern(bytes);
            var left = new byte[64 * 1024];
            var right = new byte[left.length];
            while (true) {
                var n = actual.readNBytes(left, 0, left.length);
                if (n != expected.readNBytes(right, 0, right.length) || !Arrays.equals(left, right)) {
                    return false;
                }
                if (n < left.length) {
                    return true;
                }
            }
        }
    }

    @Test
    void C106_targetThatTakesNoFile_failsAndLeavesNothing() throws Exception {
        try (var bench = Bench.on(root)) {
            var immutable = run("chattr", "+i", root.resolve("objects").toString());
            System.out.println("C106: target without permission by " + (immutable ? "chattr" : "seam"));
            if (!immutable) {
                bench.disk.fail(Effect.MOVE, 0, () -> new IOException("Operation not permitted"));
            }
            try {
                assertThatThrownBy(() -> bench.publish("x")).isInstanceOf(BlobStorageUnavailable.class);
            } finally {
                run("chattr", "-i", root.resolve("objects").toString());
            }
            assertThat(bench.objects()).isEmpty();
            assertThat(bench.staged()).isEmpty();
            bench.disk.heal();
            bench.publish("afterwards");
        }
    }

    @Test
    void C106_diskFullAtSixtyPercent_failsAndLeavesNothing() throws Exception {
        var bytes = 2_000_000;
        var mount = tmpfs(root, "1200k");
        try (var bench = Bench.on(root)) {
            if (mount.isEmpty()) {
                bench.disk.fail(Effect.WRITE, 18, () -> new IOException("No space left on device"));
            }
            assertThatThrownBy(() -> bench.publishFrom(new StagingChild.Pattern(bytes)))
                    .isInstanceOfSatisfying(
                            BlobStorageFull.class,
                            full -> assertThat(full.bytesWritten()).isBetween(bytes / 2L, (long) bytes))
                    .hasMessageContaining("no space left at " + root);
            assertThat(bench.objects()).isEmpty();
            assertThat(bench.staged()).isEmpty();
            bench.disk.heal();
            bench.publish("afterwards");
        } finally {
            unmount(mount);
        }
    }

    private static Optional<Path> tmpfs(Path at, String size) throws Exception {
        var mounted = run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", at.toString());
        System.out.println("C106: " + (mounted ? "a real tmpfs of " + size : "no right to mount: the seam"));
        return mounted ? Optional.of(at) : Optional.empty();
    }

    private static void unmount(Optional<Path> mount) throws Exception {
        if (mount.isPresent()) {
            assertThat(run("umount", mount.get().toString())).isTrue();
        }
    }

    /// False if there is no such program, or it failed.
    private static boolean run(String... command) throws InterruptedException {
        try {
            var process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            try (var output = process.getInputStream()) {
                output.readAllBytes();
            }
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
