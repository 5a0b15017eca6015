package dev.tenure.sim;

import dev.tenure.core.Threads;
import java.util.Optional;

/// The threads of the host: virtual ones, which the sweep does not see, but for the worker of the jobs, which waits
/// until it is taken.
///
/// **Owner:** the [SimHost]. **Threads:** any.
final class ByHand implements Threads {
    private static final String WORKER = "tenure-jobs";

    private Optional<Runnable> worker = Optional.empty();

    /// The worker's loop, once.
    synchronized Optional<Runnable> takeWorker() {
        var taken = worker;
        worker = Optional.empty();
        return taken;
    }

    /// Keeps the worker's loop until it is taken.
    synchronized void keepWorker(Runnable loop) {
        worker = Optional.of(loop);
    }

    @Override
    public Thread startVirtual(String name, Runnable body) {
        return Threads.system().startVirtual(name, body);
    }

    @Override
    public Thread startPlatform(String name, Runnable body) {
        if (name.equals(WORKER)) {
            keepWorker(body);
            return Threads.system().unstartedPlatform(name, body);
        }
        return Threads.system().startVirtual(name, body);
    }

    @Override
    public Thread unstartedPlatform(String name, Runnable body) {
        return Threads.system().unstartedPlatform(name, body);
    }
}
