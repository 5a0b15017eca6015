package dev.tenure.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.host.Host;
import dev.tenure.jobs.internal.table.ClaimedJob;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import dev.tenure.testkit.Trail;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class RunningTest {
    private static final JobType<String> WORK = JobType.text("work");
    private static final Reason STOP = Reason.of(Reason.Kind.REQUEST, "test");

    private final Trail trail = new Trail();

    /// Whoever asks it to end while it is being forked neither waits for the fork nor is forgotten.
    @Test
    void cancel_whileItIsForked_isNotHeldUpAndReachesTheHandler() {
        try (var host = Host.named("rig").signals(false).start();
                var handlers = Supervisor.open("handlers", host.supervised())) {
            var running = running(host);
            var asked = new CountDownLatch(1);
            try (var _ = Probes.install(point -> {
                if (point.equals("fork/job work #1:before")) {
                    Threads.system().startPlatform("asker", () -> {
                        running.cancel(STOP);
                        asked.countDown();
                    });
                    trail.add("asked while forked: " + within(asked));
                }
            })) {
                assertThat(running.handle(handlers)).isInstanceOf(Outcome.CancelledOut.class);
            }
            running.end();
        }
        assertThat(trail.events()).contains("asked while forked: true").doesNotContain("handled to its end");
    }

    @Test
    void cancel_beforeItIsForked_startsNothing() {
        try (var host = Host.named("rig").signals(false).start();
                var handlers = Supervisor.open("handlers", host.supervised())) {
            var running = running(host);
            running.cancel(STOP);

            assertThat(running.handle(handlers)).isEqualTo(new Outcome.CancelledOut<>(STOP));
            running.end();
        }
        assertThat(trail.events()).isEmpty();
    }

    private Running running(Host host) {
        JobHandler<String> handler = (_, _) -> {
            trail.add("handler");
            new CountDownLatch(1).await();
            trail.add("handled to its end");
        };
        var ticks = Ticks.of(host);
        var job = new ClaimedJob(1, "work", Optional.empty(), new byte[0], 1, 1);
        var registration = new Registration<>(WORK, handler, JobPolicy.standard(), "RunningTest");
        return new Running(job, registration, new JobRun(job, registration.policy(), ticks, () -> false), ticks);
    }

    private static boolean within(CountDownLatch latch) {
        try {
            return latch.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
