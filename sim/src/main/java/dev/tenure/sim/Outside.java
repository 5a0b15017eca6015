package dev.tenure.sim;

import dev.tenure.core.Threads;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/// Runs what belongs to the world and not to the scenario: on a thread that the sweep does not see, so that it fires
/// no points and meets no fault.
final class Outside {
    private Outside() {}

    static <R> R run(Callable<R> body) {
        var call = new Call<>(body);
        Thread thread = Threads.system().startVirtual("tenure-sim", call);
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return call.result();
    }

    private static final class Call<R> implements Runnable {
        private final Callable<R> body;
        private Optional<R> result = Optional.empty();
        private @Nullable Throwable failure;

        Call(Callable<R> body) {
            this.body = body;
        }

        @Override
        public void run() {
            try {
                result = Optional.of(body.call());
            } catch (Throwable thrown) {
                failure = thrown;
            }
        }

        R result() {
            return result.orElseThrow(
                    () -> new AssertionError("the sim could not be set up or ended: " + failure, failure));
        }
    }
}
