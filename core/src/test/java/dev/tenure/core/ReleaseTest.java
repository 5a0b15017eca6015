package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Releases with a strong mask, releases that may be tried again, and releases that overrun a budget.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class ReleaseTest extends CoreTest {
    private final List<CloseReport> overdue = new ArrayList<>();
    private final List<String> retries = new ArrayList<>();
    private final Supervisor.Options observed = Supervisor.Options.DEFAULT.with(new Observer() {
        @Override
        public void overdue(CloseReport report) {
            overdue.add(report);
        }

        @Override
        public void retried(String resource, Throwable first, boolean ended) {
            retries.add(resource + " " + first.getMessage() + " " + ended);
        }
    });

    // strong mask

    @Test
    void strongMask_thirdPartysInterrupt_reachesTheOwnerAndNotTheRelease() {
        var owner = Thread.currentThread();
        var strong = ResourceType.<String>of("strong", name -> {
                    owner.interrupt();
                    awaitParked(owner);
                    trail.add("release " + name + " " + Thread.currentThread().isInterrupted());
                    assertThat(Scope.isShielded()).isTrue();
                    assertThat(Thread.currentThread()).isNotSameAs(owner);
                })
                .strongMask();
        try (var scope = Scope.open("s")) {
            scope.own(strong, "x");
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(trail).containsExactly("release x false");
    }

    @Test
    void strongMask_closedFromItsOwnRelease_isRefused() {
        var handle = new AtomicReference<Owned<String>>();
        var strong =
                ResourceType.<String>of("strong", _ -> handle.get().close()).strongMask();
        var scope = Scope.open("s");
        handle.set(scope.own(strong, "x"));
        assertThatThrownBy(scope::close).hasMessageContaining("inside its own release");
    }

    @Test
    void strongMask_noThreadToBeHad_releasesHere() {
        var refusing = Supervisor.Options.DEFAULT.with(new Threads() {
            @Override
            public Thread startVirtual(String name, Runnable body) {
                throw new OutOfMemoryError("no thread");
            }

            @Override
            public Thread startPlatform(String name, Runnable body) {
                throw new OutOfMemoryError("no thread");
            }

            @Override
            public Thread unstartedPlatform(String name, Runnable body) {
                throw new OutOfMemoryError("no thread");
            }
        });
        try (var scope = Scope.open("s", refusing)) {
            scope.own(thing.strongMask(), "x");
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void strongMask_overrunsTheBudget_closeIsOverdueAndGoesOn() {
        var let = new CountDownLatch(1);
        var strong = ResourceType.<String>of("slow", name -> {
                    await(let);
                    trail.add("release " + name);
                })
                .strongMask();
        try (var outer = Scope.open("outer", observed)) {
            var inner = Scope.open("inner");
            inner.own(thing, "older");
            inner.own(strong, "x");
            var report = inner.close(Deadline.in(Duration.ofMillis(5)));
            assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE);
            assertThat(report.pending()).extracting(Holder::what).containsExactly("release of slow");
            assertThat(trail).isEmpty();
            assertThat(Scope.current()).isSameAs(outer);
            let.countDown();
            outer.awaitTasks();
            assertThat(inner.phase()).isEqualTo(Scope.Phase.CLOSED);
        }
        assertThat(trail).containsExactly("release x", "release older");
        assertThat(overdue).hasSize(1);
    }

    @Test
    void releaseOnItsOwnThread_overrunsTheBudget_isToldMeanwhileAndReportedOverdue() {
        var told = new CountDownLatch(1);
        var options = Supervisor.Options.DEFAULT.with(new Observer() {
            @Override
            public void overdue(CloseReport report) {
                overdue.add(report);
                told.countDown();
            }
        });
        var hanging = ResourceType.<String>of("hanging", _ -> await(told));
        var scope = Scope.open("s", options);
        scope.own(hanging, "x");
        var report = scope.close(Deadline.in(Duration.ofMillis(5)));
        assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE);
        assertThat(overdue).containsExactly(report);
        assertThat(report.pending()).extracting(Holder::what).containsExactly("release of hanging");
        assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
        assertThat(scope.close(Deadline.none())).isSameAs(report);
    }

    // a second attempt

    private ResourceType<String> failing(int times) {
        var attempts = new AtomicInteger();
        return ResourceType.<String>of("shaky", name -> {
                    int attempt = attempts.incrementAndGet();
                    trail.add("attempt " + attempt);
                    if (attempt <= times) {
                        throw new IllegalStateException("attempt " + attempt);
                    }
                })
                .retryable();
    }

    @Test
    void retryable_earlyCloseFails_theOwnersCloseTriesAgain() {
        try (var scope = Scope.open("s", observed)) {
            var handle = scope.own(failing(1), "x");
            assertThatThrownBy(handle::close).isInstanceOf(CloseFailure.class);
            assertThat(handle.state()).isEqualTo(Owned.State.FAILED);
            assertThatThrownBy(handle::get)
                    .isInstanceOf(StaleHandle.class)
                    .hasMessageContaining("shaky: the handle is FAILED");
        }
        assertThat(trail).containsExactly("attempt 1", "attempt 2");
        assertThat(retries).containsExactly("shaky attempt 1 true");
    }

    @Test
    void retryable_secondAttemptByTheHandle() {
        try (var scope = Scope.open("s", observed)) {
            var handle = scope.own(failing(1), "x");
            assertThatThrownBy(handle::close).isInstanceOf(CloseFailure.class);
            handle.close();
            assertThat(handle.state()).isEqualTo(Owned.State.RELEASED);
        }
        assertThat(trail).containsExactly("attempt 1", "attempt 2");
    }

    @Test
    void retryable_failsTwice_isOverAndTheFirstFailureIsPrimary() {
        var scope = Scope.open("s", observed);
        scope.own(failing(9), "x");
        assertThatThrownBy(scope::close).isInstanceOf(CloseFailure.class).satisfies(thrown -> {
            assertThat(thrown.getCause()).hasMessage("attempt 1");
            assertThat(thrown.getCause().getSuppressed()[0]).hasMessage("attempt 2");
        });
        assertThat(trail).containsExactly("attempt 1", "attempt 2");
        assertThat(retries).containsExactly("shaky attempt 1 false");
    }

    @Test
    void retryable_inASupervisor_isTriedAgainByItsClose() {
        var supervisor = Supervisor.open("s", observed);
        supervisor.own(failing(1), "x");
        assertThat(supervisor.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(retries).hasSize(1);
    }

    @Test
    void notRetryable_isTriedOnce() {
        var releases = new AtomicInteger();
        var once = ResourceType.<String>of("once", _ -> {
            releases.incrementAndGet();
            throw new IllegalStateException("no");
        });
        try (var scope = Scope.open("s")) {
            var handle = scope.own(once, "x");
            assertThatThrownBy(handle::close).isInstanceOf(CloseFailure.class);
            handle.close();
        }
        assertThat(releases).hasValue(1);
    }

    @Test
    void retryVsMove_aFailedHandleCannotBeMoved() {
        try (var scope = Scope.open("s", observed);
                var other = Supervisor.open("other")) {
            var handle = scope.own(failing(1), "x");
            assertThatThrownBy(handle::close).isInstanceOf(CloseFailure.class);
            assertThatThrownBy(() -> handle.moveTo(other)).isInstanceOf(StaleHandle.class);
            assertThat(other.live()).isZero();
        }
    }

    // a reserved handle and the close of a supervisor

    @Test
    void moveVsSupervisorClose_reservedFirst_closeWaitsForItAndReleases() {
        var destination = Supervisor.open("destination");
        var closer = new AtomicReference<Thread>();
        try (var source = Scope.open("source")) {
            var handle = source.own(thing, "x");
            Gates.once("move/thing:reserved", () -> {
                closer.set(Thread.ofPlatform().start(destination::close));
                awaitParked(closer.get());
            });
            var _ = handle.moveTo(destination);
            joined(closer.get());
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void moveVsSupervisorClose_reservationGivenUp_closeGoesOn() {
        var destination = Supervisor.open("destination");
        var closer = new AtomicReference<Thread>();
        try (var source = Scope.open("source")) {
            var handle = source.own(thing, "x");
            Gates.once("move/thing:reserved", () -> {
                closer.set(Thread.ofPlatform().start(destination::close));
                awaitParked(closer.get());
                throw new IllegalStateException("injected");
            });
            assertThatThrownBy(() -> handle.moveTo(destination)).hasMessage("injected");
            joined(closer.get());
            assertThat(handle.get()).isEqualTo("x");
        }
        assertThat(trail).containsExactly("release x");
    }
}
