package dev.tenure.host;

import dev.tenure.core.Task;
import java.util.Optional;

/// Knows whether the calling thread does something that a stop waits for: it must not wait for that stop.
final class OwnedWork {
    private static final Task.Carried<String> CURRENT = Task.Carried.create();

    private OwnedWork() {}

    /// Runs a hook or a cleanup, named for the refusal.
    static void run(String what, Cleanup body) throws Exception {
        CURRENT.where(what, () -> {
            body.run();
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
            throw new IllegalStateException("host '%s': %s was called from %s, which the stop itself waits for: %s"
                    .formatted(host, call, what, "call stop(), which does not wait, and return"));
        });
    }

    private static Optional<String> present(Optional<Task<?>> starter) {
        return CURRENT.get()
                .or(() -> Activity.present().map(activity -> "activity '" + activity.name() + "'"))
                .or(() -> Task.current()
                        .filter(task -> starter.filter(task::equals).isEmpty())
                        .map(task -> "task '" + task.name() + "'"));
    }
}
