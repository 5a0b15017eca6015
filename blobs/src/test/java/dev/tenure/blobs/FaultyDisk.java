package dev.tenure.blobs;

import dev.tenure.blobs.internal.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/// The real disk, but for the effects a test lets fail, and with a hook before each write.
final class FaultyDisk implements Disk {
    enum Effect {
        CREATE,
        WRITE,
        FORCE,
        FORCE_DIRECTORY,
        MOVE,
        OPEN,
        DELETE
    }

    private record Fault(Effect effect, int after, Supplier<IOException> failure) {}

    private final Disk real = Disk.local();
    private final CopyOnWriteArrayList<Effect> done = new CopyOnWriteArrayList<>();
    private volatile Optional<Fault> fault = Optional.empty();
    private volatile Runnable beforeWrite = () -> {};
    private volatile long usableBytes = Long.MAX_VALUE;

    /// Lets the effect fail from its next occurrence after so many good ones on.
    void fail(Effect effect, int after, Supplier<IOException> failure) {
        done.clear();
        fault = Optional.of(new Fault(effect, after, failure));
    }

    void heal() {
        fault = Optional.empty();
        usableBytes = Long.MAX_VALUE;
    }

    void beforeWrite(Runnable hook) {
        beforeWrite = hook;
    }

    void usableBytes(long bytes) {
        usableBytes = bytes;
    }

    private void pass(Effect effect) throws IOException {
        var now = fault;
        if (now.isPresent() && now.get().effect == effect) {
            var before = done.stream().filter(effect::equals).count();
            if (before >= now.get().after) {
                throw now.get().failure.get();
            }
        }
        done.add(effect);
    }

    @Override
    public FileChannel create(Path file) throws IOException {
        pass(Effect.CREATE);
        return real.create(file);
    }

    @Override
    public void write(FileChannel file, ByteBuffer bytes) throws IOException {
        beforeWrite.run();
        pass(Effect.WRITE);
        real.write(file, bytes);
    }

    @Override
    public void force(FileChannel file) throws IOException {
        pass(Effect.FORCE);
        real.force(file);
    }

    @Override
    public void forceDirectory(Path directory) throws IOException {
        pass(Effect.FORCE_DIRECTORY);
        real.forceDirectory(directory);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        pass(Effect.MOVE);
        real.move(from, to);
    }

    @Override
    public FileChannel open(Path file) throws IOException {
        pass(Effect.OPEN);
        return real.open(file);
    }

    @Override
    public boolean delete(Path file) throws IOException {
        pass(Effect.DELETE);
        return real.delete(file);
    }

    @Override
    public long usableBytes(Path path) throws IOException {
        return Math.min(usableBytes, real.usableBytes(path));
    }
}
