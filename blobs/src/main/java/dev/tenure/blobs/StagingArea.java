package dev.tenure.blobs;

import dev.tenure.blobs.internal.Disk;
import dev.tenure.core.Probe;
import dev.tenure.core.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/// The files of this process that nobody else can see yet.
final class StagingArea {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final Disk disk;
    private final Path directory;
    private final DiskFaults faults;

    StagingArea(Disk disk, Path directory, DiskFaults faults) {
        this.disk = disk;
        this.directory = directory;
        this.faults = faults;
    }

    Path file(String key) {
        return directory.resolve(key);
    }

    /// Writes the source to a new file and forces it; on any failure there is no file.
    StagedBlob write(Scope scope, String key, InputStream source) throws IOException {
        Probe.before("stage", "blob");
        var file = file(key);
        var channel = create(file);
        try {
            var bytes = fill(scope, new Target(file, channel), source);
            return new StagedBlob(key, bytes);
        } catch (Throwable primary) {
            abandon(file, primary);
            throw primary;
        }
    }

    private FileChannel create(Path file) {
        try {
            return Scope.shielded(() -> disk.create(file));
        } catch (IOException e) {
            throw faults.of("stage", file, 0, e);
        }
    }

    private long fill(Scope scope, Target target, InputStream source) throws IOException {
        try (target) {
            var chunk = new byte[CHUNK_BYTES];
            for (var n = source.read(chunk); n >= 0; n = source.read(chunk)) {
                target.write(ByteBuffer.wrap(chunk, 0, n));
                scope.checkpoint();
            }
            Probe.after("stage", "blob");
            target.force();
            return target.bytes;
        }
    }

    private void abandon(Path file, Throwable primary) {
        try {
            Scope.shielded(() -> disk.delete(file));
        } catch (Throwable cleanup) {
            primary.addSuppressed(cleanup); // the file goes with the directory of this process
        }
    }

    void discard(String key) {
        var file = file(key);
        try {
            Scope.shielded(() -> disk.delete(file));
        } catch (IOException e) {
            throw faults.of("discard of a staged blob", file, 0, e);
        }
    }

    /// A file while it is written. Interrupts would close its channel, so it keeps them away.
    private final class Target implements AutoCloseable {
        private final Path file;
        private final FileChannel channel;
        private long bytes;

        Target(Path file, FileChannel channel) {
            this.file = file;
            this.channel = channel;
        }

        void write(ByteBuffer chunk) {
            var length = chunk.remaining();
            attempt("stage", () -> disk.write(channel, chunk));
            bytes += length;
        }

        void force() {
            Probe.before("force", "blob");
            attempt("force", () -> disk.force(channel));
            Probe.after("force", "blob");
        }

        @Override
        public void close() {
            attempt("stage", channel::close);
        }

        private void attempt(String what, Effect effect) {
            try {
                Scope.shielded(() -> {
                    effect.run();
                    return true;
                });
            } catch (IOException e) {
                throw faults.of(what, file, bytes, e);
            }
        }
    }

    @FunctionalInterface
    private interface Effect {
        void run() throws IOException;
    }
}
