package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Rounds of the races that no forced order covers; the counts must balance.
class StressTest extends CoreTest {
    private static final int ROUNDS = Boolean.getBoolean("tenure.soak") ? 40_000 : 4_000;

    @Test
    void moveInAgainstCloseOfTheDestination_losesAndDoublesNothing() throws Exception {
        var releases = new AtomicInteger();
        var counted = ResourceType.<String>of("counted", _ -> releases.incrementAndGet());
        var barrier = new CyclicBarrier(2);
        var destination = new Scope[1];
        var closer = elsewhere(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                try (var scope = Scope.open("destination")) {
                    destination[0] = scope;
                    barrier.await();
                }
                barrier.await();
            }
            return "";
        });
        int refused = 0;
        for (int i = 0; i < ROUNDS; i++) {
            try (var source = Scope.open("source")) {
                var handle = source.own(counted, "x");
                barrier.await();
                try {
                    var _ = handle.moveTo(destination[0]);
                } catch (AdmissionClosed closed) {
                    refused++;
                }
                barrier.await();
            }
            assertThat(releases).hasValue(i + 1);
        }
        result(closer);
        assertThat(refused).isBetween(1, ROUNDS - 1);
    }

    @Test
    void foreignReleaseAgainstCloseOfTheOwner_releasesOnce() throws Exception {
        var releases = new AtomicInteger();
        var counted = ResourceType.<String>of("counted", _ -> releases.incrementAndGet());
        var barrier = new CyclicBarrier(2);
        @SuppressWarnings("unchecked") // one element, of this type
        var handle = (Owned<String>[]) new Owned<?>[1];
        var releaser = elsewhere(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                barrier.await();
                handle[0].close();
                barrier.await();
            }
            return "";
        });
        for (int i = 0; i < ROUNDS; i++) {
            try (var owner = Scope.open("owner")) {
                handle[0] = owner.own(counted, "x");
                barrier.await();
            }
            assertThat(releases).hasValue(i + 1);
            barrier.await();
        }
        result(releaser);
    }

    @Test
    void cancelAgainstMask_noInterruptInsideAndEveryOneSeenAfter() {
        var inside = new AtomicInteger();
        var seen = new AtomicInteger();
        try (var supervisor = Supervisor.open("s")) {
            for (int i = 0; i < ROUNDS / 4; i++) {
                var masking = new CountDownLatch(1);
                var task = supervisor.fork("t", () -> {
                    masking.countDown();
                    while (Scope.current().cancelled().isEmpty()) {
                        Scope.shielded(() -> {
                            inside.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
                            return "";
                        });
                    }
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    seen.incrementAndGet();
                    return "";
                });
                await(masking);
                task.cancel(request());
                if (task.join() instanceof Outcome.CancelledOut) {
                    seen.incrementAndGet();
                }
            }
        }
        assertThat(inside).hasValue(0);
        assertThat(seen).hasValue(ROUNDS / 4);
    }

    /// Under a listener all threads use one stripe.
    @Test
    void ownAndRetireOnOneStripe_againstCountsAndClose_balance() {
        var releases = new AtomicInteger();
        var counted = ResourceType.<String>of("counted", _ -> releases.incrementAndGet());
        var supervisor = Supervisor.open("s");
        var first = elsewhere(() -> ownUntilRefused(supervisor, counted));
        var second = elsewhere(() -> ownUntilRefused(supervisor, counted));
        while (releases.get() < ROUNDS) {
            assertThat(supervisor.live()).isBetween(0, ROUNDS);
            supervisor
                    .stripes()
                    .forEach(stripe -> assertThat(stripe.liveHandles())
                            .doesNotHaveDuplicates()
                            .doesNotContainNull());
        }
        supervisor.close();
        assertThat(supervisor.live()).isZero();
        int owned = result(first) + result(second); // the refused values have been released then, too
        assertThat(releases.get()).isEqualTo(owned);
        assertThat(Gates.live()).isEmpty();
    }

    /// Ends every second value itself, at once or late, and leaves the others to the supervisor.
    private static int ownUntilRefused(Supervisor supervisor, ResourceType<String> counted) {
        int owned = 0;
        try {
            while (true) {
                var handle = supervisor.own(counted, "x");
                owned++;
                if (owned % 2 == 0 || supervisor.live() > 100) {
                    handle.close();
                }
            }
        } catch (AdmissionClosed closed) {
            return owned + 1; // the refused value was released, too
        }
    }

    @Test
    void permitsUnderCancel_neverLoseOne() {
        var permits = Permits.fair("p", 2, 100);
        try (var supervisor = Supervisor.open("s")) {
            for (int round = 0; round < ROUNDS / 20; round++) {
                for (int i = 0; i < 3; i++) {
                    supervisor.fork("kept", () -> permits.acquire().get());
                    supervisor.fork("cancelled", () -> permits.acquire().get()).cancel(request());
                }
                supervisor.awaitTasks(Deadline.none());
            }
        }
        assertThat(permits.available()).isEqualTo(2);
        assertThat(permits.waiting()).isZero();
    }
}
