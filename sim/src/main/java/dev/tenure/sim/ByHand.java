package dev.tenure.sim;

import dev.tenure.core.Threads;
import java.util.Optional;

/// The threads of the host: virtual ones, which the sweep does not see, but for the worker of the jobs, which waits
/// until it is taken, and the coordinator, which waits until a stop was asked for. If the scenario stops the host
/// itself,
/// what the coordinator starts runs at once, on the thread that starts it.
///
/// **Owner:** the [SimHost]. **Threads:** any.
final class ByHand implements Threads {
    private static final String WORKER = "tenure-jobs";

    private static final String COORDINATOR = "tenure-host-";

    private Optional<Runnable> worker = Optional.empty();
    private volatile Optional<Runnable> coordinator = Optional.empty();
    private final boolean stopsByHand;
    private volatile boolean atOnce;

    ByHand(boolean stopsByHand) {
        this.stopsByHand = stopsByHand;
    }

    /// Runs the coordinator, once a stop was asked for: on this thread, if the scenario stops the host. Does nothing a
    /// second time.
    void coordinate() {
        var taken = coordinator;
        coordinator = Optional.of(() -> {});
        if (stopsByHand) {
            atOnce = true;
            taken.ifPresent(Runnable::run);
        } else {
            taken.ifPresent(body -> Threads.system().startVirtual(COORDINATOR, body));
        }
    }

    private boolean isCoordinator(String name) {
        return coordinator.isEmpty() && name.startsWith(COORDINATOR);
    }

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
        return started(name, body);
    }

    private Thread started(String name, Runnable body) {
        if (atOnce) {
            body.run();
            return Thread.currentThread();
        }
        return Threads.system().startVirtual(name, body);
    }

    @Override
    public Thread startPlatform(String name, Runnable body) {
        if (isCoordinator(name)) {
            coordinator = Optional.of(body);
            return Threads.system().unstartedPlatform(name, body);
        }
        if (name.equals(WORKER)) {
            keepWorker(body);
            return Threads.system().unstartedPlatform(name, body);
        }
        return started(name, body);
    }

    @Override
    public Thread unstartedPlatform(String name, Runnable body) {
        return Threads.system().unstartedPlatform(name, body);
    }
}
