package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/// Masks that are left or entered while a cancel is being delivered, and masks within masks.
class MaskTest extends CoreTest {
    @Test
    void leftWhileACancelLooks_interruptsOnce() {
        // the canceller holds the delivery and has not looked yet: it sees no mask, and interrupts itself
        leftDuring("ring/t:delivering");
    }

    @Test
    void leftAfterACancelLooked_takesWhatItLeft() {
        // the canceller saw the mask and has not said yet that something waits: whoever leaves asks for it
        leftDuring("ring/t:rung");
    }

    private void leftDuring(String point) {
        var masked = new CountDownLatch(1);
        var leave = new CountDownLatch(1);
        var task = new AtomicReference<Task<String>>();
        try (var supervisor = Supervisor.open("s")) {
            var forked = supervisor.fork("t", () -> {
                Scope.shielded(() -> {
                    masked.countDown();
                    await(leave);
                    trail.add("inside " + Thread.currentThread().isInterrupted());
                    return "";
                });
                trail.add("outside " + Thread.interrupted());
                trail.add("again " + Thread.interrupted());
                return "";
            });
            task.set(forked);
            await(masked);
            Gates.once(point, () -> {
                leave.countDown();
                spinUntil(() -> !task.get().isMasked());
            });
            forked.cancel(request());
            forked.join();
        }
        assertThat(Gates.isArmed(point)).isFalse();
        assertThat(trail).containsExactly("inside false", "outside true", "again false");
    }

    @Test
    void enteredWhileACancelLooked_keepsTheInterruptOutside() {
        var running = new CountDownLatch(1);
        var enter = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("s")) {
            var forked = supervisor.fork("t", () -> {
                running.countDown();
                spinUntil(() -> enter.getCount() == 0);
                Scope.shielded(() -> {
                    trail.add("inside " + Thread.currentThread().isInterrupted());
                    return "";
                });
                trail.add("outside " + Thread.interrupted());
                return "";
            });
            await(running);
            Gates.once(
                    "ring/t:rung",
                    () -> { // the interrupt was sent, the delivery is not over
                        enter.countDown();
                        spinUntil(forked::isMasked);
                    });
            forked.cancel(request());
            forked.join();
        }
        assertThat(trail).containsExactly("inside false", "outside true");
    }

    @Test
    void nested_deliversWhenTheOutermostIsLeft() {
        try (var supervisor = Supervisor.open("s")) {
            supervisor
                    .fork(
                            "t",
                            () -> Scope.shielded(() -> {
                                Scope.shielded(() -> {
                                    Scope.current().canceller().cancel(request());
                                    return "";
                                });
                                trail.add(
                                        "in one " + Thread.currentThread().isInterrupted() + " " + Scope.isShielded());
                                return "";
                            }))
                    .join();
            supervisor
                    .fork("u", () -> {
                        Scope.shielded(() -> Scope.shielded(() -> {
                            Scope.current().canceller().cancel(request());
                            return "";
                        }));
                        trail.add("in none " + Thread.interrupted() + " " + Scope.isShielded());
                        return "";
                    })
                    .join();
        }
        assertThat(trail).containsExactly("in one false true", "in none true false");
    }

    private static void spinUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + 10_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("within 10 s").isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
