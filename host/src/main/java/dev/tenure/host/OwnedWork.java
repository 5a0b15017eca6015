package dev.tenure.host;

import dev.tenure.core.Task;
import java.util.Optional;

/// Knows whether the calling thread does something that a stop waits for: it must not wait for that stop.
final class OwnedWork {
    private static final ScopedValue<String> CURRENT = ScopedValue.newInstance();

    private OwnedWork() {}

    /// Runs a hook, named for the refusal.
    static void run(String what, Runnable body) {
        ScopedValue.where(CURRENT, what).run(body);
    }

    /// Runs a cleanup, named for the refusal.
    static void clean(String what, Cleanup cleanup) throws Exception {
        ScopedValue.where(CURRENT, what).call(() -> {
            cleanup.run();
            return what;
        });
    }

    /// Refuses a wait for the stop from inside it.
    ///
    /// @param host for the message
    /// @param call what was called
    /// @param starter the task in which the host was started, which does not belong to it
    static void refuseToWait(String host, String call, Optional<Task<?>> starter) {
        present(starter).ifPresent(what -> {
            throw new IllegalStateException(
                    "host '%s': %s was called from %s, which the stop itself waits for: call stop(), which does not wait, and return"
                            .formatted(host, call, what));
        });
    }

    /// The task of ours that this thread runs.
    static Optional<Task<?>> task() {
        return Optional.empty();
    }

    private static Optional<String> present(Optional<Task<?>> starter) {
        if (CURRENT.isBound()) {
            return Optional.of(CURRENT.get());
        }
        var activity = Activity.present();
        if (activity.isPresent()) {
            return Optional.of("activity '" + activity.get().name() + "'");
        }
        return task().filter(task -> starter.filter(task::equals).isEmpty()).map(task -> "task '" + task.name() + "'");
    }
}
