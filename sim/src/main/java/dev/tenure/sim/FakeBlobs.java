package dev.tenure.sim;

import dev.tenure.blobs.BlobStorageUnavailable;
import dev.tenure.blobs.Blobs;
import dev.tenure.blobs.NoSuchBlob;
import dev.tenure.blobs.PlacedBlob;
import dev.tenure.blobs.ReclaimReport;
import dev.tenure.blobs.StagedBlob;
import dev.tenure.core.Owned;
import dev.tenure.core.Probe;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import dev.tenure.testkit.World;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Blobs in memory: the states and the order of the real ones, points around each effect, and its own count of what is
/// there.
///
/// **Owner:** the world. **Ends:** with it. **Threads:** the scenario's, one at a time.
final class FakeBlobs implements Blobs {
    private static final String NAME = "blobs in memory";

    private final World world;
    private final Map<String, byte[]> staged = new TreeMap<>();
    private final Map<String, byte[]> objects = new TreeMap<>();
    private final Map<String, PlacedBlob> arrived = new TreeMap<>();
    private final Set<String> left = new TreeSet<>();
    private final ResourceType<StagedBlob> stagedType = ResourceType.of("staged blob", this::discardStaged);
    private final ResourceType<PlacedBlob> placedType = ResourceType.of("blob", this::discardPlaced);
    private final ResourceType<ReadableBytes> readerType = ResourceType.of("blob reader", ReadableBytes::close);
    private long keys;

    FakeBlobs(World world) {
        this.world = world;
    }

    /// The keys under which readers find bytes.
    Set<String> keys() {
        return Set.copyOf(objects.keySet());
    }

    /// Whether the reclaimer has to find out about a key.
    boolean isLeft(String key) {
        return left.contains(key);
    }

    /// How many temporary keys there are.
    int stagedNow() {
        return staged.size();
    }

    private static BlobStorageUnavailable broken(String attempt, Exception fault) {
        return new BlobStorageUnavailable(NAME + ": " + attempt, Path.of("memory"), 0, fault);
    }

    private String nextKey() {
        return "%048x".formatted(++keys);
    }

    // ---- stage and place ----

    @Override
    public Staged<StagedBlob> stage(Scope into, InputStream source) throws IOException {
        return into.stage(stagedType, () -> write(into, source));
    }

    @Override
    public Staged<StagedBlob> stage(Scope into, Path source) throws IOException {
        try (var bytes = Files.newInputStream(source)) {
            return stage(into, bytes);
        }
    }

    private StagedBlob write(Scope into, InputStream source) throws IOException {
        Points.before("create", "staged blob bytes", fault -> broken("stage", fault));
        byte[] bytes = source.readAllBytes();
        into.checkpoint();
        var blob = new StagedBlob(nextKey(), bytes.length);
        staged.put(blob.key(), bytes);
        world.opened("staged blob bytes", blob);
        try {
            Points.after("create", "staged blob bytes", fault -> broken("stage", fault));
        } catch (Throwable fault) {
            staged.remove(blob.key());
            world.lost(blob, "undone");
            throw fault;
        }
        return blob;
    }

    @Override
    public Staged<PlacedBlob> place(Scope into, Staged<StagedBlob> from) {
        try {
            return into.stage(placedType, () -> placed(from));
        } catch (Staged.NotPublished definite) {
            throw unchecked(definite.getCause());
        }
    }

    /// What was moved is taken back if anything after that fails.
    private PlacedBlob placed(Staged<StagedBlob> from) {
        String key = nextKey();
        try {
            return from.publish(blob -> move(blob, key));
        } catch (Throwable failure) {
            takeBack(key);
            throw failure;
        }
    }

    private void takeBack(String key) {
        PlacedBlob moved = arrived.remove(key);
        if (moved != null) {
            objects.remove(key);
            world.ended(moved, "taken back");
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable cause) {
        return switch (cause) {
            case Error error -> throw error;
            case RuntimeException known -> known;
            case null, default -> new IllegalStateException("place failed", cause);
        };
    }

    private PlacedBlob move(StagedBlob from, String key) {
        try {
            Points.before("create", "blob bytes", fault -> broken("place", fault));
        } catch (Throwable definite) {
            throw new Staged.NotPublished(definite);
        }
        var blob = new PlacedBlob(key, from.bytes());
        byte[] bytes = staged.remove(from.key());
        objects.put(key, bytes == null ? new byte[0] : bytes);
        arrived.put(key, blob);
        world.published(from);
        world.opened("blob bytes", blob);
        Points.after("create", "blob bytes", fault -> broken("place", fault));
        return blob;
    }

    // ---- the ends ----

    private void discardStaged(StagedBlob blob) {
        try {
            Points.before("delete", "staged blob bytes", fault -> broken("discard", fault));
        } finally {
            staged.remove(blob.key());
            world.ended(blob, "delete");
        }
        Points.after("delete", "staged blob bytes", fault -> broken("discard", fault));
    }

    private void discardPlaced(PlacedBlob blob) {
        try {
            Points.before("delete", "blob bytes", fault -> broken("discard", fault));
        } finally {
            objects.remove(blob.key());
            world.ended(blob, "delete");
        }
        Points.after("delete", "blob bytes", fault -> broken("discard", fault));
    }

    @Override
    public void settle(Staged<PlacedBlob> placed) {
        Points.before("settle", "blob", fault -> broken("settle", fault));
        if (placed.state() == Staged.State.STAGED) {
            placed.inDoubt();
        }
        placed.published();
        Points.after("settle", "blob", fault -> broken("settle", fault));
    }

    @Override
    public void discard(Staged<PlacedBlob> placed) {
        placed.refused();
        placed.close();
    }

    @Override
    public void leave(Staged<PlacedBlob> placed) {
        left.add(placed.get().key());
        placed.unknown();
    }

    // ---- reading and deleting ----

    @Override
    public Owned<SeekableByteChannel> open(Scope into, String key) {
        @SuppressWarnings("unchecked") // read-only: nothing is put in
        var type = (ResourceType<SeekableByteChannel>) (ResourceType<?>) readerType;
        return into.acquire(type, () -> read(key));
    }

    private SeekableByteChannel read(String key) {
        Points.before("create", "open blob", fault -> broken("open", fault));
        byte[] bytes = objects.get(key);
        if (bytes == null) {
            throw new NoSuchBlob(NAME, key);
        }
        var channel = new ReadableBytes(world, bytes);
        world.opened("open blob", channel);
        try {
            Points.after("create", "open blob", fault -> broken("open", fault));
        } catch (Throwable fault) {
            channel.close();
            throw fault;
        }
        return channel;
    }

    @Override
    public void delete(String key) {
        Points.before("delete", "blob", fault -> broken("delete", fault));
        objects.remove(key);
        Points.after("delete", "blob", fault -> broken("delete", fault));
    }

    /// Takes what was left for the reclaimer as referred to; it deletes nothing.
    @Override
    public ReclaimReport reclaim() {
        Probe.point("reclaim");
        return new ReclaimReport(objects.size(), 0, objects.size(), new ArrayList<>(), 0, 0, Duration.ZERO);
    }

    // ---- as a component ----

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Phase> phases() {
        return Set.of();
    }

    @Override
    public void enter(Phase phase, Stop stop) {
        // It is the world's, and ends with it.
    }

    @Override
    public Map<String, Long> counts() {
        return Map.of("blobs", (long) objects.size(), "left_to_reclaimer", (long) left.size());
    }

    @Override
    public String toString() {
        return NAME + List.copyOf(objects.keySet());
    }
}
