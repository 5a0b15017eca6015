package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// C005, core side: waiters whose clients vanished leave the queue and are never served.
class C005_CancelledWaitersLeaveThePermitQueueTest extends CoreTest {
    private static final int WAITERS = 500;

    @Test
    void waitersThatAreCancelled_areGone_andNoneIsServedLater() {
        var permits = Permits.fair("leases", 1, WAITERS);
        var served = new AtomicInteger();
        try (var holder = Scope.open("holder");
                var clients = Supervisor.open("clients")) {
            var held = permits.acquire(holder, Deadline.none());
            for (int i = 0; i < WAITERS; i++) {
                clients.fork("client", () -> {
                    permits.acquire();
                    return served.incrementAndGet();
                });
            }
            while (permits.waiting() < WAITERS) {
                Thread.onSpinWait();
            }
            var limit = Deadline.in(Duration.ofSeconds(2));
            clients.cancelAll(Reason.of(Reason.Kind.PEER_GONE, "reset"));
            assertThat(clients.awaitTasks(limit)).as("all ended within 2 s").isTrue();
            assertThat(permits.waiting()).isZero();
            held.close();
            assertThat(permits.available()).isOne();
        }
        assertThat(served).hasValue(0);
    }
}
