package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// What the tests of the core share: a trail of events, resources that write to it, and the check that
/// nothing is left.
abstract class CoreTest {
    final List<String> trail = new CopyOnWriteArrayList<>();
    final ResourceType<String> thing = ResourceType.of("thing", name -> trail.add("release " + name));

    @BeforeEach
    void clearGates() {
        Gates.reset();
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(Gates.live()).as("owned and not ended").isEmpty();
        assertThat(Thread.interrupted())
                .as("interrupt flag of the test's thread")
                .isFalse();
    }

    /// Waits for a latch that another thread of the test counts down.
    static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                assertThat(latch.await(10, TimeUnit.SECONDS))
                        .as("latch within 10 s")
                        .isTrue();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Waits for a latch, as code that may be interrupted does.
    static void awaitInterruptibly(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(10, TimeUnit.SECONDS)).as("latch within 10 s").isTrue();
    }

    /// Runs code on a platform thread of its own.
    static <T> FutureTask<T> elsewhere(Callable<T> body) {
        var future = new FutureTask<>(body);
        Thread.ofPlatform().daemon().start(future);
        return future;
    }

    /// The result of code that runs elsewhere.
    static <T> T result(FutureTask<T> future) {
        try {
            return future.get(10, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until a thread parks in the core or elsewhere.
    static void awaitParked(Thread thread) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (thread.getState() != Thread.State.WAITING && thread.getState() != Thread.State.TIMED_WAITING) {
            assertThat(System.nanoTime()).as("parked within 10 s").isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /// Waits for a thread of the test to end.
    static void joined(Thread thread) {
        try {
            assertThat(thread.join(java.time.Duration.ofSeconds(10)))
                    .as("ended within 10 s")
                    .isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static Reason request() {
        return Reason.of(Reason.Kind.REQUEST, "test");
    }
}
