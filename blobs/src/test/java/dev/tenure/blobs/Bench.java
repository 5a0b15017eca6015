package dev.tenure.blobs;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Owned;
import dev.tenure.core.Scope;
import dev.tenure.core.Threads;
import dev.tenure.testkit.FakeClock;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

/// A store on a fake clock and a disk that can fail, and what is on the real disk of it.
final class Bench implements AutoCloseable {
    final FakeClock clock = new FakeClock();
    final FaultyDisk disk = new FaultyDisk();
    final List<Throwable> observed = new CopyOnWriteArrayList<>();
    final Path root;
    final DirectoryBlobs blobs;

    private Bench(Path root, UnaryOperator<DirectoryBlobsBuilder> settings, Optional<BlobKeys> keys) {
        this.root = root;
        var observer = new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                observed.add(failure);
            }
        };
        var seams = new Seams(clock, clock, Threads.system(), observer);
        this.blobs = settings.apply(DirectoryBlobs.in(root)).on(disk, keys).open(seams);
        clock.awaitPending(1); // the first run of the reclaimer is over
    }

    static Bench on(Path root) {
        return new Bench(root, builder -> builder, Optional.empty());
    }

    static Bench on(Path root, UnaryOperator<DirectoryBlobsBuilder> settings) {
        return new Bench(root, settings, Optional.empty());
    }

    static Bench withKeys(Path root, BlobKeys keys) {
        return new Bench(root, builder -> builder, Optional.of(keys));
    }

    static InputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Stages, places and settles.
    String publish(String text) throws IOException {
        return publishFrom(bytes(text));
    }

    String publishFrom(InputStream source) throws IOException {
        try (var scope = Scope.open("publish")) {
            var placed = blobs.place(scope, blobs.stage(scope, source));
            var key = placed.get().key();
            blobs.settle(placed);
            return key;
        }
    }

    /// Stages and places, and says that nobody knows about the commit.
    String orphan(String text) throws IOException {
        try (var scope = Scope.open("orphan")) {
            var placed = blobs.place(scope, blobs.stage(scope, bytes(text)));
            var key = placed.get().key();
            blobs.leave(placed);
            return key;
        }
    }

    String read(String key) throws IOException {
        try (var scope = Scope.open("read")) {
            return read(blobs.open(scope, key));
        }
    }

    static String read(Owned<SeekableByteChannel> open) throws IOException {
        var channel = open.get();
        var bytes = ByteBuffer.allocate((int) channel.size());
        for (var n = 1; n > 0; ) {
            n = channel.read(bytes);
        }
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }

    List<String> objects() {
        return files(root.resolve("objects"));
    }

    /// Without lock files, which the directories of processes have beside them.
    List<String> staged() {
        return files(root.resolve("staging")).stream()
                .filter(name -> !name.endsWith(".lock"))
                .toList();
    }

    static List<String> files(Path directory) {
        try (var walk = Files.walk(directory)) {
            return walk.filter(Files::isRegularFile)
                    .map(path -> path.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    String modes(String area, String key) throws IOException {
        try (var walk = Files.walk(root.resolve(area))) {
            var file = walk.filter(path -> path.endsWith(key)).findFirst().orElseThrow();
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
        }
    }

    @Override
    public void close() {
        disk.heal();
        if (blobs.close(Deadline.none()).status() != CloseReport.Status.CLEAN) {
            throw new AssertionError("still used by " + blobs.holders());
        }
    }
}
