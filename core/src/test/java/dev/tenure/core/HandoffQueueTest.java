package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A queue owns what is in transit; both orders of each race of its row.
class HandoffQueueTest extends CoreTest {
    private HandoffQueue<String> queue;

    @BeforeEach
    void open() {
        queue = HandoffQueue.open("q", 2);
    }

    @Test
    void offered_isOwnedByTheQueue_taken_byTheTakersScope() {
        try (var giver = Scope.open("giver")) {
            var handle = giver.own(thing, "x");
            assertThat(queue.offer(handle)).isTrue();
            assertThat(handle.state()).isEqualTo(Owned.State.MOVED);
        }
        assertThat(trail).isEmpty();
        try (var taker = Scope.open("taker")) {
            assertThat(queue.take(taker).get()).isEqualTo("x");
            assertThat(queue.size()).isZero();
        }
        assertThat(trail).containsExactly("release x");
        queue.close();
    }

    @Test
    void full_refuses_andTheOffererStillOwns() {
        try (var giver = Scope.open("giver")) {
            assertThat(queue.offer(giver.own(thing, "1"))).isTrue();
            assertThat(queue.offer(giver.own(thing, "2"))).isTrue();
            var third = giver.own(thing, "3");
            assertThat(queue.offer(third)).isFalse();
            assertThat(third.get()).isEqualTo("3");
        }
        assertThat(trail).containsExactly("release 3");
        queue.close();
        assertThat(trail).containsExactly("release 3", "release 1", "release 2");
    }

    @Test
    void takers_getTheOldestFirst_andNothingWhenTheDeadlinePasses() {
        try (var giver = Scope.open("giver");
                var taker = Scope.open("taker")) {
            assertThat(queue.offer(giver.own(thing, "1"))).isTrue();
            assertThat(queue.offer(giver.own(thing, "2"))).isTrue();
            assertThat(queue.take(taker).get()).isEqualTo("1");
            assertThat(queue.take(taker).get()).isEqualTo("2");
            assertThat(queue.take(taker, Deadline.in(Duration.ofMillis(1)))).isEmpty();
        }
        queue.close();
    }

    @Test
    void capacityBelowOne_isRefused() {
        assertThatThrownBy(() -> HandoffQueue.open("none", 0)).hasMessage("capacity: 0 (expected: >= 1)");
        queue.close();
    }

    // offer vs close

    @Test
    void offerVsClose_closeFirst_offererStillOwns() {
        queue.close();
        try (var giver = Scope.open("giver")) {
            var handle = giver.own(thing, "x");
            assertThatThrownBy(() -> queue.offer(handle))
                    .isInstanceOf(AdmissionClosed.class)
                    .hasMessageContaining("queue 'q' is closed");
            assertThat(handle.get()).isEqualTo("x");
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void offerVsClose_promisedFirst_closeBeforeTheLink_offererStillOwns() {
        try (var giver = Scope.open("giver")) {
            var handle = giver.own(thing, "x");
            Gates.once("offer/thing:before", queue::close);
            assertThatThrownBy(() -> queue.offer(handle)).isInstanceOf(AdmissionClosed.class);
            assertThat(handle.get()).isEqualTo("x");
        }
    }

    @Test
    void offerVsClose_reservedFirst_closeWaitsForItAndReleases() {
        var closer = new AtomicReference<Thread>();
        try (var giver = Scope.open("giver")) {
            Gates.once("offer/thing:reserved", () -> {
                closer.set(Thread.ofPlatform().start(queue::close));
                awaitParked(closer.get());
                assertThat(trail).isEmpty();
            });
            assertThat(queue.offer(giver.own(thing, "x"))).isTrue();
            joined(closer.get());
        }
        assertThat(trail).containsExactly("release x");
    }

    // take vs close

    @Test
    void takeVsClose_takerWaits_closeWakesItWithNothing() {
        var taker = new AtomicReference<Thread>();
        var refused = elsewhere(() -> {
            taker.set(Thread.currentThread());
            try (var scope = Scope.open("taker")) {
                assertThatThrownBy(() -> queue.take(scope)).isInstanceOf(AdmissionClosed.class);
            }
            return "refused";
        });
        while (taker.get() == null) {
            Thread.onSpinWait();
        }
        awaitParked(taker.get());
        queue.close();
        assertThat(result(refused)).isEqualTo("refused");
    }

    @Test
    void takeVsClose_closeComesBeforeTheClaim_queueReleasesAndTheTakerGetsNothing() {
        try (var giver = Scope.open("giver");
                var taker = Scope.open("taker")) {
            assertThat(queue.offer(giver.own(thing, "x"))).isTrue();
            Gates.once(
                    "take/thing:reserved",
                    () -> result(elsewhere(() -> {
                        queue.close();
                        return "";
                    })));
            assertThatThrownBy(() -> queue.take(taker)).isInstanceOf(AdmissionClosed.class);
            assertThat(trail).containsExactly("release x");
        }
        assertThat(trail).hasSize(1);
    }

    @Test
    void takeVsClose_claimedFirst_takerOwnsAndTheCloseWaitsForIt() {
        var closer = new AtomicReference<Thread>();
        try (var giver = Scope.open("giver");
                var taker = Scope.open("taker")) {
            assertThat(queue.offer(giver.own(thing, "x"))).isTrue();
            Gates.once("take/thing:claimed", () -> {
                closer.set(Thread.ofPlatform().start(queue::close));
                awaitParked(closer.get());
            });
            assertThat(queue.take(taker).get()).isEqualTo("x");
            joined(closer.get());
            assertThat(trail).isEmpty();
        }
        assertThat(trail).containsExactly("release x");
    }

    // take vs cancel, take vs a scope that refuses

    @Test
    void takeVsCancel_cancelFirst_nothingIsTaken() {
        try (var giver = Scope.open("giver")) {
            assertThat(queue.offer(giver.own(thing, "x"))).isTrue();
            try (var taker = Scope.open("taker")) {
                taker.canceller().cancel(request());
                assertThatThrownBy(() -> queue.take(taker)).isInstanceOf(Cancelled.class);
            }
            assertThat(queue.size()).isOne();
        }
        queue.close();
    }

    @Test
    void takeVsCancel_cancelWhileWaiting_endsTheWait() {
        var waits = new CountDownLatch(1);
        try (var scope = Scope.open("s")) {
            var task = scope.fork("taker", () -> {
                waits.countDown();
                return queue.take(Scope.current());
            });
            await(waits);
            awaitParked(task.thread().orElseThrow());
            task.cancel(request());
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        }
        queue.close();
    }

    @Test
    void takeVsCancel_takenFirst_theTakerOwns() {
        try (var giver = Scope.open("giver");
                var taker = Scope.open("taker")) {
            assertThat(queue.offer(giver.own(thing, "x"))).isTrue();
            Gates.once("take/thing:claimed", () -> taker.canceller().cancel(request()));
            assertThat(queue.take(taker).get()).isEqualTo("x");
        }
        queue.close();
    }

    @Test
    void aTakerThatFails_putsTheValueBackInFront() {
        try (var giver = Scope.open("giver");
                var taker = Scope.open("taker")) {
            assertThat(queue.offer(giver.own(thing, "1"))).isTrue();
            assertThat(queue.offer(giver.own(thing, "2"))).isTrue();
            Gates.once("take/thing:reserved", () -> {
                throw new IllegalStateException("injected");
            });
            assertThatThrownBy(() -> queue.take(taker)).hasMessage("injected");
            assertThat(queue.take(taker).get()).isEqualTo("1");
        }
        queue.close();
        assertThat(trail).containsExactly("release 1", "release 2");
    }

    // close vs close

    @Test
    void closeVsClose_secondWaitsForTheFirst_andOnlyTheFirstThrows() {
        var in = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var failing = ResourceType.<String>of("failing", _ -> {
            in.countDown();
            await(let);
            throw new IllegalStateException("stuck");
        });
        var mine = HandoffQueue.<String>open("failing", 1);
        try (var giver = Scope.open("giver")) {
            assertThat(mine.offer(giver.own(failing, "x"))).isTrue();
        }
        var first = elsewhere(() -> {
            assertThatThrownBy(mine::close).isInstanceOf(CloseFailure.class).hasRootCauseMessage("stuck");
            return "failed";
        });
        await(in);
        var second = Thread.ofPlatform().start(mine::close);
        awaitParked(second);
        let.countDown();
        joined(second);
        assertThat(result(first)).isEqualTo("failed");
        queue.close();
    }

    /// Found by a linearizability check: a place that was promised and linked counted twice.
    @Test
    void offer_whileAnotherIsBeingLinked_findsTheSecondPlace() {
        queue.close();
        try (var two = HandoffQueue.<String>open("two", 2);
                var giver = Scope.open("giver")) {
            var first = giver.own(thing, "a");
            var second = new AtomicReference<Boolean>();
            Gates.once(
                    "offer/thing:reserved",
                    () -> second.set(result(elsewhere(() -> {
                        try (var other = Scope.open("other giver")) {
                            return two.offer(other.own(thing, "b"));
                        }
                    }))));
            assertThat(two.offer(first)).isTrue();
            assertThat(second).hasValue(true);
        }
    }
}
