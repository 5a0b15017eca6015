package dev.tenure.blobs;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Owned;
import dev.tenure.core.Probe;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import dev.tenure.core.Supervisor;
import dev.tenure.host.Phase;
import dev.tenure.host.ProcessDirectory;
import dev.tenure.host.Stop;
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
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Blobs in a directory: `staging/` holds a directory for each process, `objects/` the files under
/// their final keys.
///
/// **Owner:** the host. **Ends:** the reclaimer when the drain begins; the rest when nobody holds a
/// staged or placed blob or an open channel any more. **States:** open, sealed, closed. **Threads:**
/// any. **Limits:** see [DirectoryBlobsBuilder]; no limit on a blob's size but the disk's. **Fails:**
/// [BlobException]; [dev.tenure.host.ConfigurationError] when opened. **Source:** design 7; ADR-0030,
/// ADR-0031.
public final class DirectoryBlobs implements Blobs {
    private final BlobSettings settings;
    private final Seams seams;
    private final Supervisor owner;
    private final Store store;
    private final Uses uses;
    private final Counts counts = new Counts();
    private final Reclaimer reclaimer;
    private final ReclaimSchedule schedule;
    private final Map<SeekableByteChannel, Object> readers = new ConcurrentHashMap<>();
    private final ResourceType<StagedBlob> stagedType = ResourceType.of("staged blob", this::discardStaged);
    private final ResourceType<PlacedBlob> placedType = ResourceType.of("blob", this::discardPlaced);
    private final ResourceType<SeekableByteChannel> readerType = ResourceType.of("blob reader", this::closeReader);

    DirectoryBlobs(BlobSettings settings, Seams seams, Supervisor owner, Store store) {
        this.settings = settings;
        this.seams = seams;
        this.owner = owner;
        this.store = store;
        this.uses = new Uses(seams.clock());
        this.reclaimer = new Reclaimer(settings, store, uses, seams.clock());
        this.schedule = new ReclaimSchedule(owner, seams, settings.period(), this::reclaim);
    }

    /// Where the bytes are.
    record Store(StagingArea staging, ObjectArea objects, ProcessDirectory directory, BlobKeys keys) {}

    /// A store in this directory, which is made if it is missing. Opens nothing yet.
    ///
    /// @param root a directory on a local file system; several processes may share it
    /// @return the settings, to be given to a host
    public static DirectoryBlobsBuilder in(Path root) {
        return new DirectoryBlobsBuilder(root);
    }

    void start() {
        schedule.start();
    }

    @Override
    public Staged<StagedBlob> stage(Scope into, InputStream source) throws IOException {
        Staged<StagedBlob> staged = into.stage(stagedType, () -> write(into, source));
        uses.endsWhen(staged.get().key(), () -> hasEnded(staged));
        return staged;
    }

    private StagedBlob write(Scope into, InputStream source) throws IOException {
        var key = store.keys.nextTemporary();
        admit(key, new Uses.Use(Uses.Kind.STAGED, key, into.name()), "stage");
        try {
            return store.staging.write(into, key, source);
        } catch (Throwable failure) {
            uses.exit(key);
            throw failure;
        }
    }

    @Override
    public Staged<StagedBlob> stage(Scope into, Path source) throws IOException {
        try (var bytes = Files.newInputStream(source)) {
            return stage(into, bytes);
        }
    }

    private void admit(Object key, Uses.Use use, String attempt) {
        if (!uses.admit(key, use)) {
            throw new BlobsClosed(settings.name(), attempt);
        }
    }

    private void discardStaged(StagedBlob blob) {
        try {
            store.staging.discard(blob.key());
        } finally {
            uses.exit(blob.key());
        }
    }

    @Override
    public Staged<PlacedBlob> place(Scope into, Staged<StagedBlob> staged) {
        try {
            Staged<PlacedBlob> placed = into.stage(
                    placedType,
                    () -> Placement.claim(store, uses, into)
                            .place(staged, seams.clock().now()));
            uses.endsWhen(placed.get().key(), () -> hasEnded(placed));
            counts.placed.increment();
            return placed;
        } catch (Staged.NotPublished definite) {
            throw asUnchecked(definite.getCause());
        }
    }

    private static RuntimeException asUnchecked(@Nullable Throwable cause) {
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof RuntimeException unchecked
                ? unchecked
                : new IllegalStateException("place: failed with " + cause, cause);
    }

    private static boolean hasEnded(Staged<?> staged) {
        return switch (staged.state()) {
            case STAGED, PUBLISHING -> false;
            case PUBLISHED, DISCARDED, UNKNOWN -> true;
        };
    }

    private void discardPlaced(PlacedBlob blob) {
        try {
            store.objects.delete("discard", blob.key());
            counts.discarded.increment();
        } finally {
            uses.exit(blob.key());
        }
    }

    @Override
    public void settle(Staged<PlacedBlob> placed) {
        var key = placed.get().key();
        Probe.before("settle", "blob");
        if (placed.state() == Staged.State.STAGED) {
            placed.inDoubt();
        }
        placed.published();
        uses.exit(key);
        counts.settled.increment();
        Probe.after("settle", "blob");
    }

    @Override
    public void discard(Staged<PlacedBlob> placed) {
        placed.refused();
        placed.close();
    }

    @Override
    public void leave(Staged<PlacedBlob> placed) {
        var key = placed.get().key();
        placed.unknown();
        uses.exit(key);
        counts.left.increment();
    }

    @Override
    public Owned<SeekableByteChannel> open(Scope into, String key) {
        checkKey(key);
        return into.acquire(readerType, () -> openReader(into, key));
    }

    private SeekableByteChannel openReader(Scope into, String key) {
        var use = new Object();
        admit(use, new Uses.Use(Uses.Kind.READ, key, into.name()), "open");
        try {
            var channel = store.objects.open(settings.name(), key);
            readers.put(channel, use);
            return channel;
        } catch (Throwable failure) {
            uses.exit(use);
            throw failure;
        }
    }

    private void closeReader(SeekableByteChannel channel) throws IOException {
        try {
            channel.close();
        } finally {
            var use = readers.remove(channel);
            if (use != null) {
                uses.exit(use);
            }
        }
    }

    @Override
    public void delete(String key) {
        checkKey(key);
        if (uses.isLive(key)) {
            throw new IllegalStateException(
                    "%s: blob '%s' is placed and not settled yet: discard it instead".formatted(settings.name(), key));
        }
        if (Scope.shielded(() -> store.objects.delete("delete", key))) {
            counts.deleted.increment();
        }
    }

    private void checkKey(String key) {
        if (!BlobKeys.isKey(key)) {
            throw new BadBlobKey(settings.name(), key, BlobKeys.EXPECTED);
        }
    }

    @Override
    public ReclaimReport reclaim() {
        var report = reclaimer.run();
        counts.reclaimed.add(report.deleted());
        if (!report.failed().isEmpty()) {
            var cause = new IOException(report.failed().toString());
            seams.observer()
                    .failed(
                            settings.name(),
                            new BlobStorageUnavailable(settings.name() + ": " + report, settings.root(), 0, cause));
        }
        return report;
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Set<Phase> phases() {
        return Set.of(Phase.DRAIN_IN_FLIGHT, Phase.DISPOSE_DEPENDENCIES);
    }

    @Override
    public void enter(Phase phase, Stop stop) {
        if (phase == Phase.DRAIN_IN_FLIGHT) {
            schedule.stop();
            owner.awaitTasks(stop.deadline());
        } else if (phase == Phase.DISPOSE_DEPENDENCIES) {
            for (var failed : close(stop.deadline()).failures()) {
                throw new IllegalStateException(
                        "%s: %s did not close".formatted(settings.name(), failed.what()), failed.failure());
            }
        }
    }

    @Override
    public void force(Stop stop) {
        schedule.stop();
    }

    /// Refuses new users, stops the reclaimer, waits for whoever uses the store, then removes this
    /// process's staging directory. For tests; a host does the same in its phases.
    ///
    /// @param deadline bounds the wait
    /// @return the final report, the same for every caller; or an `OVERDUE` one that names who still
    /// uses the store, and what is used stays open
    public CloseReport close(Deadline deadline) {
        var started = seams.clock().nanos();
        uses.seal();
        schedule.stop();
        if (owner.awaitTasks(deadline) && uses.awaitNone(deadline, seams.timers())) {
            return owner.close(Deadline.none());
        }
        var pending = new ArrayList<>(uses.holders());
        pending.addAll(owner.holders());
        var elapsed = Duration.ofNanos(seams.clock().nanos() - started);
        return new CloseReport(settings.name(), CloseReport.Status.OVERDUE, 0, List.of(), pending, elapsed);
    }

    @Override
    public List<Holder> holders() {
        return uses.holders();
    }

    @Override
    public Map<String, Long> counts() {
        return counts.asMap(uses.counts());
    }
}
