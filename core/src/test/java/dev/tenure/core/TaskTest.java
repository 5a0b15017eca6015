package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class TaskTest extends CoreTest {
    private static final Deadline SOON = Deadline.in(Duration.ofMillis(1));

    @Test
    void join_afterReturn_givesTheValue() throws Exception {
        try (var scope = Scope.open("s")) {
            assertThat(scope.fork("t", () -> 42).get()).isEqualTo(42);
        }
    }

    @Test
    void join_deadlinePasses_isPendingAndTheWorkGoesOn() {
        try (var scope = Scope.open("s")) {
            var let = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                await(let);
                return "value";
            });
            assertThat(task.join(SOON)).isEqualTo(new Outcome.Pending<>());
            let.countDown();
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", false));
        }
    }

    @Test
    void fail_isToldByItsHandle_withItsCleanupSuppressed() {
        var bad = ResourceType.<String>of("bad", _ -> {
            throw new IOException("cleanup");
        });
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> {
                Scope.current().own(bad, "x");
                throw new IllegalArgumentException("primary");
            });
            assertThatThrownBy(task::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasMessage("task 't'")
                    .cause()
                    .hasMessage("primary")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        }
    }

    @Test
    void fail_unobserved_isToldByTheClose() {
        var scope = Scope.open("s");
        scope.fork("t", () -> {
            throw new IllegalArgumentException("nobody looked");
        });
        scope.awaitTasks();
        assertThatThrownBy(scope::close).isInstanceOf(CloseFailure.class).hasRootCauseMessage("nobody looked");
    }

    @Test
    void fail_cancelsItsSiblings() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var sibling = scope.fork("sibling", () -> {
                in.countDown();
                new CountDownLatch(1).await();
                return "";
            });
            var failing = scope.fork("failing", () -> {
                await(in);
                throw new IllegalStateException("boom");
            });
            assertThat(sibling.join()).isInstanceOfSatisfying(Outcome.CancelledOut.class, out -> {
                assertThat(out.reason().kind()).isEqualTo(Reason.Kind.SIBLING_FAILED);
                assertThat(out.reason().cause().orElseThrow()).hasMessage("boom");
            });
            assertThat(failing.join()).isInstanceOf(Outcome.Failed.class);
            assertThat(scope.cancelled()).isEmpty();
        }
    }

    @Test
    void cleanupFailure_ofACancelledTask_outranksTheCancel() {
        var bad = ResourceType.<String>of("bad", _ -> {
            throw new IOException("cleanup");
        });
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                Scope.current().own(bad, "x");
                in.countDown();
                new CountDownLatch(1).await();
                return "";
            });
            await(in);
            task.cancel(request());
            assertThat(task.join()).isInstanceOf(Outcome.Failed.class);
        }
    }

    @Test
    void fork_withHandle_movesItBeforeTheThreadStarts() throws Exception {
        try (var scope = Scope.open("s")) {
            var handle = scope.own(thing, "arg");
            var task = scope.fork("t", handle, Owned::get);
            assertThatThrownBy(handle::get).isInstanceOf(StaleHandle.class);
            assertThat(task.get()).isEqualTo("arg");
            assertThat(trail).containsExactly("release arg");
        }
    }

    @Test
    void fork_afterClose_isRefused() {
        var scope = Scope.open("s");
        scope.close();
        assertThatThrownBy(() -> scope.fork("late", () -> "")).isInstanceOf(AdmissionClosed.class);
    }

    @Test
    void fork_threadRefused_endsWhatTheTaskOwned() {
        var refusing = Supervisor.Options.DEFAULT.with(new Threads() {
            @Override
            public Thread startVirtual(String name, Runnable body) {
                throw new OutOfMemoryError("no thread");
            }

            @Override
            public Thread startPlatform(String name, Runnable body) {
                return Threads.system().startPlatform(name, body);
            }

            @Override
            public Thread unstartedPlatform(String name, Runnable body) {
                return Threads.system().unstartedPlatform(name, body);
            }
        });
        try (var supervisor = Supervisor.open("s", refusing)) {
            assertThatThrownBy(() -> supervisor.fork("t", () -> "")).isInstanceOf(OutOfMemoryError.class);
            assertThat(supervisor.live()).isZero();
        }
    }

    @Test
    void swallowedInterrupt_comesAgainAtTheNextCheckpoint() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                in.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException swallowed) {
                    trail.add("swallowed");
                }
                Scope.current().checkpoint();
                return "unreachable";
            });
            await(in);
            task.cancel(request());
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        }
        assertThat(trail).containsExactly("swallowed");
    }

    @Test
    void interruptOfAThirdParty_inOurWait_isARequestForTheWholeTask() {
        var permits = Permits.fair("p", 1, 1);
        try (var scope = Scope.open("s")) {
            permits.acquire(scope, Deadline.none());
            var task = scope.fork("t", () -> permits.acquire().get());
            while (permits.waiting() == 0) {
                Thread.onSpinWait();
            }
            task.thread().orElseThrow().interrupt();
            assertThat(task.join())
                    .isInstanceOfSatisfying(
                            Outcome.CancelledOut.class,
                            out -> assertThat(out.reason().by()).contains("interrupt"));
            assertThat(permits.waiting()).isZero();
        }
    }

    @Test
    void signalMode_setsTheFlagAndRunsHooks_withoutInterrupt() {
        var hooked = ResourceType.<CountDownLatch>of("hooked", _ -> {}).onCancel(CountDownLatch::countDown);
        var options = Supervisor.Options.DEFAULT.with(CancelMode.SIGNAL);
        try (var supervisor = Supervisor.open("s", options)) {
            var in = new CountDownLatch(1);
            var task = supervisor.fork("t", () -> {
                var unblocked =
                        Scope.current().own(hooked, new CountDownLatch(1)).get();
                in.countDown();
                unblocked.await();
                return Scope.current().cancelled().isPresent();
            });
            await(in);
            task.cancel(request());
            assertThat(task.join()).isEqualTo(new Outcome.Success<>(true, true));
        }
    }

    @Test
    void cancelOfAnInnerScope_leavesNoInterruptBehind() {
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> {
                try (var inner = Scope.open("inner")) {
                    inner.canceller().cancel(request());
                    assertThat(Thread.currentThread().isInterrupted()).isTrue();
                }
                return Thread.currentThread().isInterrupted();
            });
            assertThat(task.join()).isEqualTo(new Outcome.Success<>(false, false));
        }
    }

    @Test
    void joinInACancelledScope_endsTheWaitAlone() {
        var let = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("s")) {
            var work = supervisor.fork("work", () -> {
                await(let);
                return "kept";
            });
            var in = new CountDownLatch(1);
            var waiter = supervisor.fork("waiter", () -> {
                in.countDown();
                return work.join();
            });
            await(in);
            waiter.cancel(request());
            assertThat(waiter.join()).isInstanceOf(Outcome.CancelledOut.class);
            let.countDown();
            assertThat(work.join()).isEqualTo(new Outcome.Success<>("kept", false));
        }
    }

    @Test
    void carried_isSeenByForkedTasks_andEndsWithItsCode() throws Exception {
        var key = Task.Carried.<String>create();
        try (var scope = Scope.open("s")) {
            String seen = key.where("outer", () -> {
                var task = scope.fork(
                        "t",
                        () -> key.where("inner", () -> key.get().orElseThrow()) + "/"
                                + key.get().orElseThrow());
                return task.get() + "/" + key.get().orElseThrow();
            });
            assertThat(seen).isEqualTo("inner/outer/outer");
            assertThat(key.get()).isEmpty();
        }
    }

    @Test
    void probeThatThrowsBeforeARelease_neverKeepsTheValue() {
        Gates.once("release/thing:before", () -> {
            throw new IllegalStateException("injected");
        });
        var scope = Scope.open("s");
        scope.own(thing, "x");
        assertThatThrownBy(scope::close).hasRootCauseMessage("injected");
        assertThat(trail).containsExactly("release x");
    }
}
