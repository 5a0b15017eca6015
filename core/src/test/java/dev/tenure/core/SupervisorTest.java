package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class SupervisorTest extends CoreTest {
    @Test
    void seal_refusesWhatIsNew_andReleasesARefusedValue() {
        try (var supervisor = Supervisor.open("s")) {
            supervisor.seal();
            assertThatThrownBy(() -> supervisor.fork("late", () -> ""))
                    .isInstanceOf(AdmissionClosed.class)
                    .hasMessageContaining("supervisor 's' is sealed");
            assertThatThrownBy(() -> supervisor.own(thing, "x")).isInstanceOf(AdmissionClosed.class);
            assertThat(trail).containsExactly("release x");
            assertThat(supervisor.live()).isZero();
        }
    }

    @Test
    void close_cancelsJoinsThenReleases() {
        var in = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("s")) {
            supervisor.own(thing, "x");
            supervisor.fork("t", () -> {
                try {
                    in.countDown();
                    new CountDownLatch(1).await();
                } finally {
                    trail.add("task ended");
                }
                return "";
            });
            await(in);
        }
        assertThat(trail).containsExactly("task ended", "release x");
    }

    @Test
    void close_overBudget_namesTheHolderAndGoesOn() {
        var in = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var supervisor = Supervisor.open("s");
        supervisor.fork("deaf", () -> {
            in.countDown();
            await(let);
            return "";
        });
        await(in);
        var report = supervisor.close(Deadline.in(Duration.ofMillis(1)));
        assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE);
        assertThat(report.pending())
                .singleElement()
                .satisfies(holder -> assertThat(holder.what()).isEqualTo("deaf"));
        let.countDown();
        assertThat(supervisor.await(Deadline.none())).isTrue();
        assertThat(supervisor.close(Deadline.none())).isSameAs(report);
        while (!Gates.live().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void close_fromItsOwnTask_isRefused() {
        var supervisor = Supervisor.open("s");
        var task = supervisor.fork("t", () -> supervisor.close(Deadline.none()));
        assertThat(task.join())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.primary()).hasMessageContaining("closed by its own task 't'"));
        supervisor.close();
    }

    @Test
    void close_releaseFails_isReportedAndThrown() {
        var bad = ResourceType.<String>of("bad", _ -> {
            throw new IOException("cleanup");
        });
        var supervisor = Supervisor.open("s");
        supervisor.own(bad, "x");
        supervisor.own(thing, "y");
        assertThatThrownBy(supervisor::close).isInstanceOf(CloseFailure.class).hasRootCauseMessage("cleanup");
        assertThat(trail).containsExactly("release y");
    }

    @Test
    void observer_isToldOfATaskThatFails() {
        var observer = new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                trail.add(owner + ": " + failure.getMessage());
            }
        };
        try (var supervisor = Supervisor.open("s", Supervisor.Options.DEFAULT.with(observer))) {
            supervisor.fork("t", () -> {
                throw new IOException("boom");
            });
            supervisor.awaitTasks(Deadline.none());
        }
        assertThat(trail).containsExactly("s, task t: boom");
    }

    @Test
    void cancelAll_reachesTasksForkedLater() {
        try (var supervisor = Supervisor.open("s")) {
            supervisor.cancelAll(request());
            assertThat(supervisor.fork("late", () -> "ran").join()).isInstanceOf(Outcome.CancelledOut.class);
        }
    }

    @Test
    void permits_areFairBoundedAndGivenBackByCancelledWaiters() {
        var permits = Permits.fair("pool", 1, 2);
        try (var supervisor = Supervisor.open("s")) {
            try (var scope = Scope.open("holder")) {
                permits.acquire(scope, Deadline.none());
                var waiters = List.of(waiter(supervisor, permits, 1), waiter(supervisor, permits, 2));
                assertThatThrownBy(() -> permits.acquire(scope, Deadline.none()))
                        .isInstanceOf(Permits.Busy.class)
                        .hasMessageContaining("all 1 are taken and 2 wait");
                waiters.getFirst().cancel(request());
                waiters.getFirst().join();
                assertThat(permits.waiting()).isOne();
                assertThatThrownBy(() -> permits.acquire(scope, Deadline.in(Duration.ofMillis(1))))
                        .isInstanceOf(Permits.WaitTimeout.class)
                        .hasMessageContaining("capacity 1, available 0");
            }
            supervisor.awaitTasks(Deadline.none());
        }
        assertThat(trail).containsExactly("waiter 2");
        assertThat(permits.available()).isOne();
    }

    /// Starts a task that is the n-th to wait for a permit.
    private Task<String> waiter(Supervisor supervisor, Permits permits, int nth) {
        String name = "waiter " + nth;
        Task<String> task = supervisor.fork(name, () -> {
            var _ = permits.acquire();
            trail.add(name);
            return "";
        });
        while (permits.waiting() < nth) {
            Thread.onSpinWait();
        }
        return task;
    }

    @Test
    void permits_closed_refusesWaitersAndKeepsGrantedOnes() {
        var permits = Permits.fair("pool", 1, 2);
        try (var supervisor = Supervisor.open("s");
                var scope = Scope.open("holder")) {
            var granted = permits.acquire(scope, Deadline.none());
            var waiter = supervisor.fork("w", permits::acquire);
            while (permits.waiting() == 0) {
                Thread.onSpinWait();
            }
            permits.close();
            assertThat(waiter.join())
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.primary()).isInstanceOf(AdmissionClosed.class));
            granted.close();
        }
        assertThat(permits.available()).isOne();
    }

    @Test
    void staged_discardPublishAndDoubt() {
        try (var scope = Scope.open("s")) {
            var dropped = scope.stage(thing, () -> "dropped");
            dropped.close();
            assertThat(dropped.state()).isEqualTo(Staged.State.DISCARDED);
            var refused = scope.stage(thing, () -> "refused");
            assertThatThrownBy(() -> refused.publish(_ -> {
                        throw new Staged.NotPublished(new IOException("definite"));
                    }))
                    .isInstanceOf(Staged.NotPublished.class);
            assertThat(refused.state()).isEqualTo(Staged.State.STAGED);
            var lost = scope.stage(thing, () -> "lost");
            assertThatThrownBy(() -> lost.publish(_ -> {
                        throw new IOException("no reply");
                    }))
                    .isInstanceOf(IOException.class);
            assertThat(lost.state()).isEqualTo(Staged.State.UNKNOWN);
            var doubtful = scope.stage(thing, () -> "doubtful");
            doubtful.inDoubt();
            assertThatThrownBy(doubtful::inDoubt).isInstanceOf(StaleHandle.class);
        }
        assertThat(trail).containsExactly("release dropped", "release refused");
    }
}
