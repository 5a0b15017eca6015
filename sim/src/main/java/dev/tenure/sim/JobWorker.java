package dev.tenure.sim;

import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import dev.tenure.jobs.Jobs;
import dev.tenure.testkit.World;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The worker of the jobs, run by hand on a controlled thread.
///
/// **Owner:** the scenario. **Ends:** by [#close()], which drains the jobs: after it none runs any more in this run.
/// **Threads:** the scenario's own.
public final class JobWorker implements AutoCloseable {
    /// As often as a worker looks by itself.
    private static final Duration TURN = Duration.ofSeconds(1);

    private final World world;
    private final Jobs jobs;
    private final SimHost host;
    private final Turns turns;
    private final Supervisor owner;
    private final Task<Boolean> task;
    private final Runnable loop;
    private volatile boolean begun;

    @SuppressWarnings("MustBeClosedChecker") // closed by close()
    private JobWorker(SimHost host, World world, Jobs jobs, Runnable loop) {
        this.world = world;
        this.jobs = jobs;
        this.host = host;
        this.turns = host.turns();
        this.loop = loop;
        this.owner = Supervisor.open("sim worker", world.options());
        this.task = started();
        turns.endsWhen(task::isDone);
    }

    /// The real worker is a thread that nobody can cancel.
    private Task<Boolean> started() {
        try {
            return owner.fork("jobs worker", () -> Scope.shielded(this::work));
        } catch (Throwable refused) {
            try {
                drained();
                ended();
            } catch (RuntimeException | Error later) {
                refused.addSuppressed(later);
            }
            throw refused;
        }
    }

    /// A worker that has begun ends at once, since nothing is claimed any more.
    private void drained() {
        turns.close();
        var _ = jobs.close(world.clock().deadline(Duration.ZERO));
    }

    /// A task that was forked begins, or fails before it does.
    private void awaitBeginning() {
        BooleanSupplier known = () -> begun || task.isDone();
        boolean controlled = true;
        while (controlled && !known.getAsBoolean()) {
            controlled = world.await("the first step of the worker", known, Deadline.none());
        }
    }

    private void keepUnlessBegun() {
        if (!begun) {
            host.threads().keepWorker(loop);
        }
    }

    private boolean work() {
        begun = true;
        turns.working();
        loop.run();
        return true;
    }

    static JobWorker start(SimHost host, World world, Jobs jobs) {
        var loop = host.threads()
                .takeWorker()
                .orElseThrow(() -> new IllegalStateException("sim: the worker of the jobs runs already, or has ended"));
        return new JobWorker(host, world, jobs, loop);
    }

    /// Claims and runs what is due, until nothing is.
    public void runDue() {
        String before;
        do {
            before = jobs.counts().toString();
            turns.turn();
            awaitRunning();
        } while (!before.equals(jobs.counts().toString()));
    }

    private void awaitRunning() {
        boolean controlled = true;
        while (controlled && running() > 0) {
            controlled = world.await(
                    "the jobs that run", () -> running() == 0, world.clock().deadline(TURN));
            turns.turn();
        }
    }

    private long running() {
        return jobs.counts().getOrDefault("running", 0L);
    }

    /// Drains the jobs and joins the worker.
    @Override
    public void close() {
        turns.close();
        try {
            if (!begun) {
                drained();
                awaitBeginning();
            }
            if (begun) {
                var _ = jobs.close(Deadline.none());
            }
        } finally {
            ended();
        }
    }

    private void ended() {
        try {
            owner.close();
        } finally {
            keepUnlessBegun();
        }
    }
}
