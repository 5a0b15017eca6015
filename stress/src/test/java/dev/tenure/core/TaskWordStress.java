package dev.tenure.core;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// The word of a task, whose thread goes out of its mask and in again while another cancels it.
///
/// Results: interrupts seen inside the mask, interrupts seen after the task's end.
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "pended, delivered or too late")
@Outcome(expect = Expect.FORBIDDEN, desc = "an interrupt where none may be")
@State
public class TaskWordStress {
    private final Supervisor supervisor = Supervisor.open("s");
    private final Task<Integer> task = new Task<>(
            "t", () -> 1, new Origin(supervisor.stripe(), Deadline.none(), Supervisor.Options.DEFAULT, true));

    /// The task's thread.
    ///
    /// @param result what it saw
    @Actor
    public void run(II_Result result) {
        task.thread = Thread.currentThread();
        task.unmask();
        task.mask();
        result.r1 = Thread.currentThread().isInterrupted() ? 1 : 0;
        task.awaitDelivery();
        result.r1 += Thread.currentThread().isInterrupted() ? 1 : 0;
        task.finishDelivery();
        result.r2 = Thread.currentThread().isInterrupted() ? 1 : 0;
    }

    /// Cancels.
    @Actor
    public void cancel() {
        task.cancel(Reason.of(Reason.Kind.REQUEST, "stress"));
    }
}
