package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.CancelMode;
import dev.tenure.core.Cancelled;
import dev.tenure.core.Canceller;
import dev.tenure.core.Deadline;
import dev.tenure.core.ExecutionCancellation;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Task;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// The code of `docs/explanation/cancellation.md`.
class CancellationTest {
    private static final Reason USER = Reason.of(Reason.Kind.REQUEST, "the user");

    @Test
    void signal_tellsAndEndsNothing() {
        try (Scope scope = Scope.open("work")) {
            // tag::signal
            ExecutionCancellation told = scope.cancellation(); // may look: cannot cancel, cannot close
            Canceller authority = scope.canceller(); // may ask: cannot close
            authority.cancel(Reason.of(Reason.Kind.REQUEST, "the user")); // asks, and returns at once
            // end::signal
            assertThat(told.isCancelled()).isTrue();
            assertThat(told.reason())
                    .hasValueSatisfying(why -> assertThat(why.by()).isEqualTo("the user"));
            assertThat(scope.phase()).isEqualTo(Scope.Phase.OPEN);
            assertThat(authority.cancel(Reason.of(Reason.Kind.STOP, "another"))).isFalse();
            assertThatThrownBy(scope::checkpoint).isInstanceOf(Cancelled.class);
        }
    }

    @Test
    void mask_defersTheInterruptAndLeavingItIsNoCheckpoint() throws Exception {
        var inside = new CountDownLatch(1);
        var asked = new CountDownLatch(1);
        try (Scope scope = Scope.open("work")) {
            // tag::mask
            Task<Integer> task = scope.fork("settle", () -> {
                int settled = Scope.current().masked(() -> {
                    inside.countDown();
                    asked.await(); // a cancel comes meanwhile: no interrupt reaches this wait
                    return 7;
                });
                Scope.current().checkpoint(); // here it is told, not at the end of the mask
                return settled;
            });
            // end::mask
            inside.await();
            task.cancel(USER);
            asked.countDown();
            assertThat(task.join()).isEqualTo(new Outcome.CancelledOut<Integer>(USER));
        }
    }

    @Test
    void cleanup_isNotReachedByTheCancelThatCausedIt() {
        List<String> seen = new ArrayList<>();
        // tag::cleanup
        ResourceType<String> journal = ResourceType.of(
                "journal",
                name -> seen.add(name
                        + (Scope.isShielded() ? " masked" : "")
                        + (Thread.currentThread().isInterrupted() ? " interrupted" : "")));
        // end::cleanup
        try (Scope scope = Scope.open("work")) {
            var blocked = new CountDownLatch(1);
            Task<String> task = scope.fork("write", () -> {
                Scope.current().own(journal, "closed");
                blocked.await(); // only the interrupt ends this
                return "written";
            });
            task.cancel(USER);
            assertThat(task.join()).isEqualTo(new Outcome.CancelledOut<String>(USER));
        }
        assertThat(seen).isSubsetOf("closed masked"); // empty if the cancel came before the body began
    }

    /// Something that a thread waits in and that no interrupt may touch.
    static final class Valve {
        private final CountDownLatch opened = new CountDownLatch(1);

        void open() {
            opened.countDown();
        }

        String flow() throws InterruptedException {
            opened.await();
            return "flowed";
        }
    }

    // tag::hook
    private static final ResourceType<Valve> VALVE =
            ResourceType.<Valve>of("valve", Valve::open).onCancel(Valve::open); // unblocks, ends nothing

    private static Task<String> flow(Supervisor pipes, CountDownLatch waiting) {
        return pipes.fork("flow", () -> {
            Valve valve = Scope.current().acquire(VALVE, Valve::new).get();
            waiting.countDown();
            return valve.flow(); // in mode SIGNAL only the hook ends this wait
        });
    }
    // end::hook

    @Test
    void signalMode_runsHooksAndKeepsTheValue() throws Exception {
        var waiting = new CountDownLatch(1);
        // tag::late
        var options = Supervisor.Options.DEFAULT.with(CancelMode.SIGNAL);
        try (Supervisor pipes = Supervisor.open("pipes", options)) {
            Task<String> task = flow(pipes, waiting);
            waiting.await();
            task.cancel(Reason.of(Reason.Kind.REQUEST, "the user"));
            Outcome<String> outcome = task.join(); // Success: the body returned, so its value stays a value
            // end::late
            assertThat(outcome).isEqualTo(new Outcome.Success<>("flowed", true));
        }
    }

    @Test
    void giveUpTheWait_isNotCancellingTheWork() throws Exception {
        var go = new CountDownLatch(1);
        try (Scope scope = Scope.open("work")) {
            // tag::pending
            Task<String> task = scope.fork("slow", () -> {
                go.await();
                return "done";
            });
            Outcome<String> soon = task.join(Deadline.in(Duration.ofMillis(5))); // Pending: it goes on, and is owned
            // end::pending
            assertThat(soon).isInstanceOf(Outcome.Pending.class);
            go.countDown();
            assertThat(task.get()).isEqualTo("done");
        }
    }
}
