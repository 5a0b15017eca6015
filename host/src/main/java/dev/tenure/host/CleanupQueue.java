package dev.tenure.host;

import dev.tenure.core.CloseReport.Failure;
import dev.tenure.host.Activity.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Cleanups in the order of their registration, each awaited, users before what they use.
///
/// What is registered while it drains is run in the same drain; when nothing is left it is closed in the same
/// instant, so nothing is ever dropped. **Threads:** any registers, one drains; guarded by this; cleanups run
/// without the lock.
final class CleanupQueue {
    private final String owner;

    // Guarded by this.
    private final List<Entry> entries = new ArrayList<>();
    private boolean closed;
    private int ran;

    CleanupQueue(String owner) {
        this.owner = owner;
    }

    synchronized Entry add(String what, Cleanup cleanup, List<Entry> uses) {
        if (closed) {
            throw new IllegalStateException(
                    "%s: cleanup '%s' came after its %d cleanups had run: end it yourself".formatted(owner, what, ran));
        }
        var entry = new Entry(what, cleanup, uses);
        entries.add(entry);
        return entry;
    }

    /// Adds one without edges, unless the queue is closed.
    synchronized Optional<Entry> offer(String what, Cleanup cleanup) {
        return closed ? Optional.empty() : Optional.of(add(what, cleanup, List.of()));
    }

    /// Runs all, and closes the queue.
    List<Failure> drain() {
        var failures = new ArrayList<Failure>();
        for (var next = next(); next.isPresent(); next = next()) {
            run(next.get()).ifPresent(failures::add);
        }
        return failures;
    }

    /// The oldest entry that no other waiting entry uses; closes the queue if there is none.
    private synchronized Optional<Entry> next() {
        var next = entries.stream()
                .filter(entry ->
                        entries.stream().noneMatch(other -> other.uses().contains(entry)))
                .findFirst();
        next.ifPresentOrElse(
                entry -> {
                    entries.remove(entry);
                    ran++;
                },
                () -> closed = true);
        return next;
    }

    private Optional<Failure> run(Entry entry) {
        try {
            OwnedWork.run("cleanup '" + entry.what() + "' of " + owner, entry.cleanup());
            return Optional.empty();
        } catch (Throwable thrown) {
            if (thrown instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return Optional.of(new Failure(entry.what(), thrown));
        }
    }

    synchronized int ran() {
        return ran;
    }
}
