package dev.tenure.blobs;

import dev.tenure.core.Scope;
import dev.tenure.core.TimeSource;
import dev.tenure.host.ProcessDirectory;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Deletes blobs that are old enough and to which nobody refers, and what dead processes staged.
///
/// It asks about a blob only after it has seen that no request of this process holds it. A request holds a blob
/// from before its file appears until after its transaction has ended, so the answer is always about an ended one.
final class Reclaimer {
    private static final int FAILURES_MAX = 100;

    private final BlobSettings settings;
    private final ObjectArea objects;
    private final ProcessDirectory staging;
    private final Uses uses;
    private final TimeSource clock;

    Reclaimer(BlobSettings settings, DirectoryBlobs.Store store, Uses uses, TimeSource clock) {
        this.settings = settings;
        this.objects = store.objects();
        this.staging = store.directory();
        this.uses = uses;
        this.clock = clock;
    }

    /// One run, on this thread; one at a time.
    synchronized ReclaimReport run() {
        try (var scope = Scope.open("reclaim")) {
            return new Run(scope).all();
        }
    }

    private final class Run {
        private final Scope scope;
        private final long begun = clock.nanos();
        private final List<String> batch = new ArrayList<>();
        private final List<ReclaimReport.Failure> failures = new ArrayList<>();
        private long failuresDropped;
        private long scanned;
        private long deleted;
        private long kept;

        Run(Scope scope) {
            this.scope = scope;
        }

        ReclaimReport all() {
            var swept = sweepStaging();
            swept.failures().forEach(failure -> failed("staging", failure));
            if (settings.referenced().isPresent()) {
                scan();
            }
            if (failuresDropped > 0) {
                failures.add(new ReclaimReport.Failure("others", failuresDropped + " more failures"));
            }
            var elapsed = Duration.ofNanos(clock.nanos() - begun);
            return new ReclaimReport(scanned, deleted, kept, failures, swept.directories(), swept.files(), elapsed);
        }

        private ProcessDirectory.Sweep sweepStaging() {
            try {
                var swept = staging.sweep();
                removeOldProbes();
                return swept;
            } catch (IOException e) {
                return new ProcessDirectory.Sweep(0, 0, List.of(e.toString()));
            }
        }

        // A process that dies between the two steps of its start-up check leaves its probe among the objects.
        private void removeOldProbes() throws IOException {
            var suffix = DirectoryBlobsBuilder.PROBE_SUFFIX;
            try (DirectoryStream<Path> probes = Files.newDirectoryStream(objects.directory(), "*" + suffix)) {
                for (var probe : probes) {
                    var name = probe.getFileName().toString();
                    var maker = staging.path().resolveSibling(name.substring(0, name.length() - suffix.length()));
                    if (Files.notExists(maker)) {
                        Files.deleteIfExists(probe);
                    }
                }
            }
        }

        private void scan() {
            try (DirectoryStream<Path> shards = Files.newDirectoryStream(objects.directory())) {
                for (var shard : shards) {
                    if (Files.isDirectory(shard, LinkOption.NOFOLLOW_LINKS)) {
                        scan(shard);
                    }
                }
                decide();
            } catch (IOException | DirectoryIteratorException e) {
                failed(objects.directory().toString(), e.toString());
            } catch (CallbackFailed e) {
                failed("referenced keys", String.valueOf(e.getCause()));
            }
        }

        private void scan(Path shard) throws CallbackFailed {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(shard)) {
                for (var file : files) {
                    look(file);
                }
            } catch (IOException | DirectoryIteratorException e) {
                failed(shard.toString(), e.toString());
            }
        }

        private void look(Path file) throws CallbackFailed {
            var key = file.getFileName().toString();
            if (!BlobKeys.isKey(key)) {
                return; // not ours
            }
            try {
                var age = Duration.between(
                        Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS)
                                .toInstant(),
                        clock.now());
                scanned++;
                if (age.compareTo(settings.grace()) < 0 || uses.isLive(key)) {
                    kept++;
                } else {
                    batch.add(key);
                }
            } catch (NoSuchFileException gone) {
                return;
            } catch (IOException e) {
                failed(key, e.toString());
            }
            if (batch.size() == settings.batch()) {
                decide();
            }
        }

        private void decide() throws CallbackFailed {
            scope.checkpoint();
            if (batch.isEmpty()) {
                return;
            }
            var asked = List.copyOf(batch);
            batch.clear();
            var referenced = ask(asked);
            for (var key : asked) {
                if (referenced.contains(key)) {
                    kept++;
                } else {
                    delete(key);
                }
            }
        }

        private Set<String> ask(List<String> keys) throws CallbackFailed {
            try {
                return settings.referenced().orElseThrow().referenced(keys);
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                scope.checkpoint();
                throw new CallbackFailed(e);
            }
        }

        private void delete(String key) {
            try {
                deleted += Scope.shielded(() -> objects.delete("reclaim", key)) ? 1 : 0;
            } catch (BlobException e) {
                failed(key, String.valueOf(e.getMessage()));
            }
        }

        private void failed(String what, String reason) {
            if (failures.size() < FAILURES_MAX) {
                failures.add(new ReclaimReport.Failure(what, reason));
            } else {
                failuresDropped++;
            }
        }
    }

    /// Without an answer nothing may be deleted: the run ends.
    private static final class CallbackFailed extends Exception {
        private static final long serialVersionUID = 1L;

        CallbackFailed(Exception cause) {
            super(cause);
        }
    }
}
