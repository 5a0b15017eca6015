package dev.tenure.uploads;

import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// The ledger of part files: those in use, and those that could not be removed.
///
/// **Limits:** the first 1,000 files that could not be removed are tried again at the end; more are
/// only counted, and go with the directory.
final class LiveParts {
    static final int LEFT_MAX = 1_000;

    private final TimeSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    // Guarded by lock.
    private final Map<Object, Use> live = new HashMap<>();
    private final Set<PartFile> present = new HashSet<>();
    private final Set<PartFile> left = new LinkedHashSet<>();
    private long forgotten;
    private boolean sealed;
    private long parts;
    private long removalFailures;

    LiveParts(TimeSource clock) {
        this.clock = clock;
    }

    private record Use(String route, Thread thread, long sinceNanos) {}

    /// Records an upload.
    ///
    /// @return false once nothing more is taken
    boolean admit(Object upload, String route) {
        var use = new Use(route, Thread.currentThread(), clock.nanos());
        return locked(() -> !sealed && live.putIfAbsent(upload, use) == null);
    }

    void exit(Object upload) {
        locked(() -> {
            live.remove(upload);
            changed.signalAll();
            return true;
        });
    }

    void seal() {
        locked(() -> sealed = true);
    }

    void created(PartFile file) {
        locked(() -> {
            parts++;
            return present.add(file);
        });
    }

    /// Records how a removal ended.
    ///
    /// @return whether the file is gone
    boolean removed(PartFile file) {
        return locked(() -> {
            if (file.removalFailure().isEmpty()) {
                left.remove(file);
                if (!present.remove(file)) {
                    forgotten--;
                }
                return true;
            }
            removalFailures++;
            if (left.size() < LEFT_MAX) {
                left.add(file);
            } else if (!left.contains(file) && present.remove(file)) {
                forgotten++;
            }
            return false;
        });
    }

    /// The files that are still there although their part has ended, as far as they are remembered.
    List<PartFile> left() {
        return locked(() -> List.copyOf(left));
    }

    /// The directory went with them.
    void forgetLeft() {
        locked(() -> {
            present.removeAll(left);
            left.clear();
            forgotten = 0;
            return true;
        });
    }

    Map<String, Long> counts() {
        return locked(() -> {
            var counts = new LinkedHashMap<String, Long>();
            counts.put("parts", parts);
            counts.put("removal_failures", removalFailures);
            counts.put("resources_left", (long) live.size());
            counts.put("temp_files_left", present.size() + forgotten);
            return counts;
        });
    }

    List<Holder> holders() {
        return locked(() -> live.values().stream().map(this::holder).toList());
    }

    private Holder holder(Use use) {
        var age = Duration.ofNanos(clock.nanos() - use.sinceNanos);
        return new Holder("upload", use.route, age, Optional.empty(), List.of(use.thread.getStackTrace()));
    }

    /// Waits until no upload is going on.
    ///
    /// @return false if the deadline passed, or the thread was interrupted, before that
    boolean awaitNone(Deadline deadline, Timers timers) {
        var alarm = timers.at(deadline, this::wake);
        lock.lock();
        try {
            while (!live.isEmpty()) {
                if (deadline.passed()) {
                    return false;
                }
                changed.await();
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
            alarm.cancel();
        }
    }

    private void wake() {
        locked(() -> {
            changed.signalAll();
            return true;
        });
    }

    private <T> T locked(Supplier<T> body) {
        lock.lock();
        try {
            return body.get();
        } finally {
            lock.unlock();
        }
    }
}
