package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Rounds of queue, share, detach and second attempts against their closes; the counts must balance.
class HandoffStressTest extends CoreTest {
    private static final int ROUNDS = Boolean.getBoolean("tenure.soak") ? 15_000 : 1_500;

    private final AtomicInteger releases = new AtomicInteger();
    private final ResourceType<String> counted = ResourceType.of("counted", _ -> releases.incrementAndGet());

    @Test
    void offersAndTakesAgainstClose_everyValueEndsOnce() throws Exception {
        var barrier = new CyclicBarrier(3);
        var slot = new ArrayList<HandoffQueue<String>>();
        slot.add(HandoffQueue.open("q", 4));
        var taken = new AtomicInteger();
        var taker = elsewhere(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                try (var scope = Scope.open("taker")) {
                    barrier.await();
                    takeAll(slot.getFirst(), scope, taken);
                }
                barrier.await();
                barrier.await();
            }
            return "";
        });
        var closer = elsewhere(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                barrier.await();
                if (i % 2 == 0) {
                    Thread.onSpinWait();
                }
                slot.getFirst().close();
                barrier.await();
                barrier.await();
            }
            return "";
        });
        for (int i = 0; i < ROUNDS; i++) {
            try (var giver = Scope.open("giver")) {
                barrier.await();
                for (int n = 0; n < 4; n++) {
                    offer(slot.getFirst(), giver.own(counted, "x"));
                }
            }
            barrier.await();
            assertThat(releases).hasValue(4 * (i + 1));
            slot.set(0, HandoffQueue.open("q", 4));
            barrier.await();
        }
        result(taker);
        result(closer);
        slot.getFirst().close();
        assertThat(taken.get()).isBetween(1, 4 * ROUNDS - 1);
    }

    private static void takeAll(HandoffQueue<String> queue, Scope scope, AtomicInteger taken) {
        try {
            while (true) {
                assertThat(queue.take(scope).get()).isEqualTo("x");
                taken.incrementAndGet();
            }
        } catch (AdmissionClosed closed) {
            assertThat(queue.isClosed()).isTrue();
        }
    }

    private static void offer(HandoffQueue<String> queue, Owned<String> handle) {
        try {
            boolean accepted = queue.offer(handle);
            assertThat(handle.state()).isEqualTo(accepted ? Owned.State.MOVED : Owned.State.HELD);
        } catch (AdmissionClosed closed) {
            assertThat(handle.state()).isEqualTo(Owned.State.HELD);
        }
    }

    @Test
    void borrowsAgainstClose_theValueOutlivesEveryBorrow() throws Exception {
        var barrier = new CyclicBarrier(2);
        var slot = new ArrayList<Shared<String>>();
        slot.add(Shared.of(counted, "x"));
        var refused = new AtomicInteger();
        var borrower = elsewhere(() -> {
            for (int i = 0; i < ROUNDS; i++) {
                barrier.await();
                try (var scope = Scope.open("borrower")) {
                    var borrowed = slot.getFirst().borrow(scope);
                    assertThat(borrowed.get()).isEqualTo("x");
                } catch (AdmissionClosed closed) {
                    refused.incrementAndGet();
                }
                barrier.await();
            }
            return "";
        });
        for (int i = 0; i < ROUNDS; i++) {
            barrier.await();
            slot.getFirst().close();
            assertThat(releases).hasValue(i + 1);
            barrier.await();
            slot.set(0, Shared.of(counted, "x"));
        }
        result(borrower);
        slot.getFirst().close();
        assertThat(refused.get()).isLessThanOrEqualTo(ROUNDS);
    }

    @Test
    void detachAgainstTheTasksEnd_itIsJoinedOnceBySomebody() {
        int detached = 0;
        try (var supervisor = Supervisor.open("workers")) {
            for (int i = 0; i < ROUNDS; i++) {
                try (var scope = Scope.open("s")) {
                    var task = scope.fork("t", () -> "value");
                    detached += task.detachTo(supervisor, "stress") ? 1 : 0;
                    assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", false));
                }
            }
            supervisor.awaitTasks(Deadline.none());
            assertThat(supervisor.live()).isZero();
        }
        assertThat(detached).isLessThanOrEqualTo(ROUNDS);
    }

    @Test
    void racesUnderCancel_leaveNoTaskAndNoHandle() {
        int won = 0;
        for (int i = 0; i < ROUNDS / 5; i++) {
            try (var scope = Scope.open("s")) {
                var canceller = scope.canceller();
                boolean cancelled = i % 3 != 0;
                var late = Thread.ofVirtual().start(() -> {
                    if (cancelled) {
                        canceller.cancel(request());
                    }
                });
                try {
                    var race = scope.race("r", List.<Callable<Owned<String>>>of(this::ownedHere, this::ownedHere));
                    assertThat(race.winner().get()).isEqualTo("x");
                    won++;
                } catch (Cancelled | ExecutionException lost) {
                    assertThat(scope.cancelled()).isPresent();
                }
                joined(late);
            }
            assertThat(Gates.live()).isEmpty();
        }
        assertThat(won).isPositive();
    }

    private Owned<String> ownedHere() {
        return Scope.current().own(counted, "x");
    }
}
