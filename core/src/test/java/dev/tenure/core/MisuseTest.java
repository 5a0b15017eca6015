package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Bad input and misuse: each is a typed error or a recorded outcome that names the resource and its
/// state, and leaks nothing.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class MisuseTest extends CoreTest {
    @Test
    void wrongThread_isToldWhoMay_andTheValueIsReleased() {
        try (var scope = Scope.open("s")) {
            String message = result(elsewhere(() -> {
                try {
                    scope.own(thing, "x");
                    return "owned";
                } catch (Scope.WrongThread refused) {
                    return refused.getMessage();
                }
            }));
            assertThat(message).contains("own thing on scope 's' by thread", "only its own thread", "fork a task");
            assertThat(trail).containsExactly("release x");
        }
        assertThat(trail).hasSize(1);
    }

    @Test
    void useAfterMove_namesTheResourceAndItsState() {
        try (var scope = Scope.open("s");
                var supervisor = Supervisor.open("t")) {
            var handle = scope.own(thing, "x");
            var moved = handle.moveTo(supervisor);
            assertThatThrownBy(handle::get)
                    .isInstanceOf(StaleHandle.class)
                    .hasMessageStartingWith("get of thing: the handle is MOVED");
            assertThat(moved.get()).isEqualTo("x");
            handle.close();
            assertThat(trail).isEmpty();
        }
    }

    @Test
    void secondMove_isStale_andTheFirstTakerStillOwns() {
        try (var scope = Scope.open("s");
                var supervisor = Supervisor.open("t")) {
            var handle = scope.own(thing, "x");
            var moved = handle.moveTo(supervisor);
            assertThatThrownBy(() -> handle.moveTo(scope)).hasMessageStartingWith("move of thing: the handle is MOVED");
            assertThat(moved.state()).isEqualTo(Owned.State.HELD);
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void useAfterClose_ofTheHandle_andOfTheScope() {
        var scope = Scope.open("s");
        var handle = scope.own(thing, "x");
        handle.close();
        assertThatThrownBy(handle::get).hasMessageStartingWith("get of thing: the handle is RELEASED");
        scope.close();
        assertThatThrownBy(() -> scope.own(thing, "late"))
                .isInstanceOf(AdmissionClosed.class)
                .hasMessage("own thing: scope 's' is CLOSED and takes nothing more");
        assertThatThrownBy(() -> scope.acquire(thing, () -> "never"))
                .isInstanceOf(AdmissionClosed.class)
                .hasMessage("acquire thing: scope 's' is CLOSED and takes nothing more");
        assertThat(trail).containsExactly("release x", "release late");
    }

    @Test
    void forkAfterClose_isRefused_andItsHandleStaysWithTheGiver() {
        var scope = Scope.open("s");
        scope.close();
        try (var giver = Scope.open("giver")) {
            var handle = giver.own(thing, "x");
            assertThatThrownBy(() -> scope.fork("late", handle, Owned::get))
                    .isInstanceOf(AdmissionClosed.class)
                    .hasMessage("fork late: scope 's' is CLOSED and takes nothing more");
            assertThatThrownBy(() -> scope.fork("late", () -> "")).isInstanceOf(AdmissionClosed.class);
            assertThat(handle.get()).isEqualTo("x");
        }
        var supervisor = Supervisor.open("t");
        supervisor.close();
        assertThatThrownBy(() -> supervisor.fork("late", () -> ""))
                .isInstanceOf(AdmissionClosed.class)
                .hasMessage("fork late: supervisor 't' is sealed and takes nothing more");
    }

    @Test
    void closeFromItsOwnFinalizer_isRefused_andRecorded() {
        var scope = Scope.open("s");
        scope.own(ResourceType.<String>of("self", _ -> scope.close()), "x");
        assertThatThrownBy(scope::close)
                .isInstanceOf(CloseFailure.class)
                .hasMessageContaining("self")
                .hasRootCauseMessage("scope 's' is closed from inside its own close, by a release or a nested step: "
                        + "return instead");
        assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
    }

    @Test
    void finalizerThatThrowsAnError_isRecorded_andTheOthersRun() {
        var scope = Scope.open("s");
        scope.own(thing, "older");
        var broken = scope.own(
                ResourceType.<String>of("broken", _ -> {
                    throw new StackOverflowError("deep");
                }),
                "x");
        scope.own(thing, "newer");
        assertThatThrownBy(scope::close)
                .isInstanceOf(CloseFailure.class)
                .hasMessageContaining("first broken")
                .hasRootCauseInstanceOf(StackOverflowError.class);
        assertThat(broken.state()).isEqualTo(Owned.State.FAILED);
        assertThat(trail).containsExactly("release newer", "release older");
    }

    @Test
    void swallowedInterrupt_comesAgainAtTheNextCheckpoint() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            var task = scope.fork("t", () -> {
                try {
                    in.countDown();
                    new CountDownLatch(1).await();
                } catch (InterruptedException swallowed) {
                    trail.add("swallowed");
                }
                Scope.current().checkpoint();
                return "not reached";
            });
            await(in);
            task.cancel(request());
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
        }
        assertThat(trail).containsExactly("swallowed");
    }

    @Test
    void swallowedCancel_isRecordedAsLate() {
        try (var scope = Scope.open("s")) {
            var task = scope.fork("t", () -> {
                Scope.current().canceller().cancel(request());
                try {
                    Scope.current().checkpoint();
                } catch (Cancelled swallowed) {
                    trail.add("swallowed");
                }
                return "value";
            });
            assertThat(task.join()).isEqualTo(new Outcome.Success<>("value", true));
        }
    }

    @Test
    void thirdPartysInterruptInsideAFinalizer_isVisibleThere_andNotLost() {
        var owner = Thread.currentThread();
        try (var scope = Scope.open("s")) {
            scope.own(thing, "older");
            scope.own(
                    ResourceType.<String>of("hit", _ -> {
                        owner.interrupt();
                        trail.add("interrupted " + owner.isInterrupted());
                    }),
                    "x");
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(trail).containsExactly("interrupted true", "release older");
    }

    @Test
    void outOfMemoryBetweenAcquireAndOwn_releasesTheValue() {
        try (var scope = Scope.open("s");
                var supervisor = Supervisor.open("t")) {
            var full = new OutOfMemoryError("simulated");
            Gates.once("own/thing:before", () -> {
                throw full;
            });
            assertThatThrownBy(() -> scope.own(thing, "x")).isSameAs(full);
            Gates.once("own/thing:before", () -> {
                throw full;
            });
            assertThatThrownBy(() -> supervisor.own(thing, "y")).isSameAs(full);
            assertThat(trail).containsExactly("release x", "release y");
            Gates.once("own/thing:after", () -> {
                throw full;
            });
            assertThatThrownBy(() -> scope.own(thing, "z")).isSameAs(full);
            assertThat(trail).hasSize(2);
        }
        assertThat(trail).containsExactly("release x", "release y", "release z");
    }

    @Test
    void outOfMemoryInAFork_endsWhatTheTaskWasGiven() {
        try (var scope = Scope.open("s")) {
            var handle = scope.own(thing, "x");
            Gates.once("start/t:before", () -> {
                throw new OutOfMemoryError("no thread");
            });
            assertThatThrownBy(() -> scope.fork("t", handle, Owned::get)).hasMessage("no thread");
            assertThat(trail).containsExactly("release x");
        }
    }

    @Test
    void faultAfterTheMoveIntoATask_endsWhatTheTaskWasGiven() {
        try (var scope = Scope.open("s")) {
            var handle = scope.own(thing, "x");
            Gates.once("fork/thing:after", () -> {
                throw new OutOfMemoryError("simulated");
            });
            assertThatThrownBy(() -> scope.fork("t", handle, Owned::get)).hasMessage("simulated");
            assertThat(trail).containsExactly("release x");
        }
    }

    @Test
    void faultBeforeTheMoveIntoATask_leavesTheHandleWithTheGiver() {
        try (var scope = Scope.open("s")) {
            var handle = scope.own(thing, "x");
            Gates.once("fork/thing:reserved", () -> {
                throw new OutOfMemoryError("simulated");
            });
            assertThatThrownBy(() -> scope.fork("t", handle, Owned::get)).hasMessage("simulated");
            assertThat(handle.get()).isEqualTo("x");
        }
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void hookThatThrows_failsNoAcquisition_andIsTold() {
        var told = new AtomicReference<Throwable>();
        var options = Supervisor.Options.DEFAULT.with(new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                told.set(failure);
            }
        });
        var hooked = thing.onCancel(_ -> {
            throw new IllegalStateException("hook");
        });
        try (var scope = Scope.open("s", options)) {
            scope.canceller().cancel(request());
            assertThat(scope.own(hooked, "x").get()).isEqualTo("x");
        }
        assertThat(told.get()).hasMessage("hook");
        assertThat(trail).containsExactly("release x");
    }

    @Test
    void faultsInsideAClose_areReportedByIt_andBreakNothing() {
        for (String side : new String[] {"before", "joining", "releasing", "shut", "released"}) {
            trail.clear();
            var scope = Scope.open("s");
            scope.own(thing, "x");
            Gates.once("close/s:" + side, () -> {
                throw new IllegalStateException(side);
            });
            assertThatThrownBy(scope::close)
                    .as(side)
                    .isInstanceOf(CloseFailure.class)
                    .hasRootCauseMessage(side);
            assertThat(scope.phase()).isEqualTo(Scope.Phase.CLOSED);
            assertThat(Scope.innermost()).isEmpty();
            assertThat(trail).containsExactly("release x");
        }
    }

    @Test
    void faultsInsideACancel_areToldToTheObserver_andTheCancelArrives() {
        var told = new AtomicReference<Throwable>();
        var options = Supervisor.Options.DEFAULT.with(new Observer() {
            @Override
            public void failed(String owner, Throwable failure) {
                told.set(failure);
            }
        });
        try (var _ = Scope.open("s", options)) {
            for (String side : new String[] {"before", "set", "after"}) {
                Gates.once("cancel/inner:" + side, () -> {
                    throw new IllegalStateException(side);
                });
                try (var inner = Scope.open("inner")) {
                    assertThat(inner.canceller().cancel(request())).isTrue();
                    assertThat(inner.cancelled()).isPresent();
                }
                assertThat(told.get()).hasMessage(side);
            }
        }
    }

    @Test
    void faultsAroundATask_failIt_andItsScopeCloses() {
        for (String side : new String[] {"before", "after"}) {
            try (var scope = Scope.open("s")) {
                Gates.once("task/t:" + side, () -> {
                    throw new IllegalStateException(side);
                });
                var task = scope.fork("t", () -> Scope.current().own(thing, "x"));
                assertThat(task.join())
                        .isInstanceOfSatisfying(
                                Outcome.Failed.class,
                                failed -> assertThat(failed.primary()).hasMessage(side));
            }
        }
        assertThat(trail).containsExactly("release x");
    }
}
