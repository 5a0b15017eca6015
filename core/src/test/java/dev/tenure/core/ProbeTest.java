package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/// What code outside the core tells a test kit through [Probe].
class ProbeTest extends CoreTest {
    private final AtomicBoolean rung = new AtomicBoolean();

    @Test
    void await_aKitWaits_theLoopLooksAgainAndDoesNotPark() {
        Gates.insteadOfWaiting("bell", () -> {
            trail.add("kit");
            rung.set(true);
        });
        waitForTheBell();
        assertThat(trail).containsExactly("kit");
    }

    @Test
    void await_nobodyWaits_theLoopParks() {
        Thread waiter = Thread.currentThread();
        var ringer = elsewhere(() -> {
            awaitParked(waiter);
            rung.set(true);
            LockSupport.unpark(waiter);
            return "";
        });
        waitForTheBell();
        result(ringer);
        assertThat(trail).contains("parked").doesNotContain("kit");
    }

    /// As the page of [Probe#await] says.
    private void waitForTheBell() {
        while (!rung.get()) {
            if (!Probe.await("bell", rung::get, Deadline.none())) {
                LockSupport.park(this);
                trail.add("parked");
            }
        }
    }
}
