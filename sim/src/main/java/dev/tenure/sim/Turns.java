package dev.tenure.sim;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import dev.tenure.testkit.World;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The timers of the host: the world's. A thread of the jobs that arms one in order to wait for it waits here instead,
/// as a controlled thread does; the worker between two turns until it is asked for the next.
///
/// **Owner:** the [SimHost]. **Threads:** any; of the scenario's, one at a time.
final class Turns implements Timers {
    /// What jobs wait by: it arms an alarm that ends its wait.
    private static final String BELL = "dev.tenure.jobs.Signal";

    private static final int FRAMES = 4;

    private final World world;
    private volatile @Nullable Thread worker;
    private volatile BooleanSupplier ended = () -> false;
    private volatile int asked;
    private volatile int done;
    private volatile boolean closing;

    Turns(World world) {
        this.world = world;
    }

    /// Says when the worker has ended, before it begins.
    void endsWhen(BooleanSupplier end) {
        ended = end;
    }

    /// The calling thread is the worker's.
    void working() {
        worker = Thread.currentThread();
    }

    /// Lets the worker take one turn, and waits until it waits again.
    void turn() {
        int mine = asked + 1;
        asked = mine;
        BooleanSupplier over = () -> done == mine || ended.getAsBoolean();
        boolean controlled = true;
        while (controlled && !over.getAsBoolean()) {
            controlled = world.await("a turn of the worker", over, Deadline.none());
        }
    }

    /// From now on the worker goes on until it ends.
    void close() {
        closing = true;
    }

    @Override
    public Alarm at(Deadline when, Runnable task) {
        if (!isWait()) {
            return world.clock().at(when, task);
        }
        boolean waited = Thread.currentThread().equals(worker) ? waitedForTurn() : waited(when);
        if (waited) {
            task.run();
            return () -> false;
        }
        return world.clock().at(when, task);
    }

    private boolean waitedForTurn() {
        int finished = asked;
        done = finished;
        boolean controlled = true;
        while (controlled && asked == finished && !closing) {
            controlled = world.await("the next turn", () -> asked != finished || closing, Deadline.none());
        }
        return controlled;
    }

    private boolean waited(Deadline when) {
        boolean controlled = true;
        while (controlled && !when.passed() && !ended.getAsBoolean()) {
            controlled = world.await("jobs", ended, when);
        }
        return controlled;
    }

    private static boolean isWait() {
        return StackWalker.getInstance()
                .walk(frames -> frames.limit(FRAMES)
                        .anyMatch(frame -> frame.getClassName().equals(BELL)));
    }

    @Override
    public int pending() {
        return world.clock().pending();
    }
}
