package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class ScopeTest extends CoreTest {
    @Test
    void close_releasesNewestFirst() {
        try (var scope = Scope.open("s")) {
            scope.own(thing, "a");
            scope.own(thing, "b");
            scope.own(thing, "c");
        }
        assertThat(trail).containsExactly("release c", "release b", "release a");
    }

    @Test
    void close_twice_releasesOnce() {
        var scope = Scope.open("s");
        scope.own(thing, "a");
        scope.close();
        scope.close();
        assertThat(trail).containsExactly("release a");
        assertThat(scope.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
    }

    @Test
    void close_joinsTasksBeforeItReleases() {
        try (var scope = Scope.open("s")) {
            var in = new CountDownLatch(1);
            scope.own(thing, "a");
            scope.fork("t", () -> {
                try (var inner = Scope.open("inner")) {
                    inner.own(thing, "of task");
                    in.countDown();
                    new CountDownLatch(1).await();
                }
                return "";
            });
            await(in);
        }
        assertThat(trail).containsExactly("release of task", "release a");
    }

    @Test
    void open_nestsUnderInnermost_andLeavesItsPlace() {
        assertThatThrownBy(Scope::current).isInstanceOf(Scope.NoScope.class).hasMessageContaining("no open scope");
        try (var outer = Scope.open("outer")) {
            try (var inner = Scope.open("inner")) {
                assertThat(Scope.current()).isSameAs(inner);
            }
            assertThat(Scope.current()).isSameAs(outer);
        }
        assertThat(Scope.innermost()).isEmpty();
    }

    @Test
    void close_whileNestedScopeIsOpen_closesItFirstAndSaysSo() {
        var outer = Scope.open("outer");
        outer.own(thing, "outer's");
        var inner = Scope.open("inner");
        inner.own(thing, "inner's");
        assertThatThrownBy(outer::close)
                .isInstanceOf(CloseFailure.class)
                .hasMessageContaining("'inner' was still open");
        assertThat(trail).containsExactly("release inner's", "release outer's");
    }

    @Test
    void own_afterClose_releasesTheValueAndRefuses() {
        var scope = Scope.open("s");
        scope.close();
        assertThatThrownBy(() -> scope.own(thing, "late"))
                .isInstanceOf(AdmissionClosed.class)
                .hasMessageContaining("scope 's' is CLOSED");
        assertThat(trail).containsExactly("release late");
    }

    @Test
    void own_fromAnotherThread_releasesTheValueAndRefuses() {
        try (var scope = Scope.open("s")) {
            result(elsewhere(() -> {
                assertThatThrownBy(() -> scope.own(thing, "stray"))
                        .isInstanceOf(Scope.WrongThread.class)
                        .hasMessageContaining("only its own thread");
                return "";
            }));
            assertThat(trail).containsExactly("release stray");
        }
    }

    @Test
    void acquire_thatFails_leavesNothing() {
        try (var scope = Scope.open("s")) {
            assertThatThrownBy(() -> scope.acquire(thing, () -> {
                        throw new IOException("refused");
                    }))
                    .isInstanceOf(IOException.class);
        }
        assertThat(trail).isEmpty();
    }

    @Test
    void acquire_afterCancel_producesNothing() {
        try (var scope = Scope.open("s")) {
            scope.canceller().cancel(request());
            assertThatThrownBy(() -> scope.acquire(thing, () -> {
                        trail.add("produced");
                        return "a";
                    }))
                    .isInstanceOf(Cancelled.class);
        }
        assertThat(trail).isEmpty();
    }

    @Test
    void acquire_cancelledWhileProducing_keepsTheValue() {
        try (var scope = Scope.open("s")) {
            var handle = scope.acquire(thing, () -> {
                scope.canceller().cancel(request());
                return "a";
            });
            assertThat(handle.get()).isEqualTo("a");
            assertThatThrownBy(scope::checkpoint).isInstanceOf(Cancelled.class);
        }
        assertThat(trail).containsExactly("release a");
    }

    @Test
    void acquire_outOfMemoryAtItsPoint_releasesTheValue() {
        Gates.once("acquire/thing:after", () -> {
            throw new OutOfMemoryError("injected");
        });
        assertThatThrownBy(() -> {
                    try (var scope = Scope.open("s")) {
                        scope.acquire(thing, () -> "a");
                    }
                })
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(trail).containsExactly("release a");
    }

    @Test
    void release_thatThrowsAnError_neverStopsTheNext() {
        var bad = ResourceType.<String>of("bad", name -> {
            throw new StackOverflowError(name);
        });
        var scope = Scope.open("s");
        scope.own(thing, "first");
        scope.own(bad, "b1");
        scope.own(bad, "b2");
        assertThatThrownBy(scope::close)
                .isInstanceOf(CloseFailure.class)
                .hasMessageContaining("2 of its endings failed")
                .hasRootCauseMessage("b2")
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(trail).containsExactly("release first");
    }

    @Test
    void close_afterAFailure_isSuppressedByIt() {
        var bad = ResourceType.<String>of("bad", name -> {
            throw new IOException(name);
        });
        assertThatThrownBy(() -> {
                    try (var scope = Scope.open("s")) {
                        scope.own(bad, "cleanup");
                        throw new IllegalArgumentException("primary");
                    }
                })
                .hasMessage("primary")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).isInstanceOf(CloseFailure.class));
    }

    @Test
    void close_fromItsOwnRelease_isRefused() {
        var self = ResourceType.<Scope>of("self", Scope::close);
        var scope = Scope.open("s");
        scope.own(self, scope);
        assertThatThrownBy(scope::close).isInstanceOf(CloseFailure.class).hasMessageContaining("inside its own close");
    }

    @Test
    void deadline_passed_cancelsTheScope() {
        try (var scope = Scope.open("s", Deadline.in(Duration.ZERO))) {
            var told = new CountDownLatch(1);
            scope.own(ResourceType.<String>of("watched", _ -> {}).onCancel(_ -> told.countDown()), "w");
            await(told);
            assertThat(scope.cancelled().orElseThrow().kind()).isEqualTo(Reason.Kind.DEADLINE);
            assertThatThrownBy(scope::checkpoint).hasMessageContaining("deadline of s");
        }
    }

    @Test
    void deadline_ofAnEnclosingScope_staysInForce() {
        var early = Deadline.in(Duration.ofHours(1));
        try (var outer = Scope.open("outer", early);
                var inner = Scope.open("inner", Deadline.in(Duration.ofHours(2)))) {
            assertThat(inner.deadline()).isSameAs(early);
            assertThat(outer.deadline()).isSameAs(early);
        }
        assertThat(Timers.system().pending()).isZero();
    }

    @Test
    void cancel_runsDownToNestedScopes_neverUp() {
        try (var outer = Scope.open("outer")) {
            try (var inner = Scope.open("inner")) {
                inner.canceller().cancel(request());
                assertThat(inner.cancelled()).isPresent();
                assertThat(outer.cancelled()).isEmpty();
            }
            outer.checkpoint();
            try (var second = Scope.open("second")) {
                assertThat(outer.canceller().cancel(request())).isTrue();
                assertThat(outer.canceller().cancel(request())).isFalse();
                assertThatThrownBy(second::checkpoint).isInstanceOf(Cancelled.class);
            }
        }
    }

    @Test
    void own_manyEndedElsewhere_keepsTheListShort() {
        try (var scope = Scope.open("s")) {
            for (int round = 0; round < 50; round++) {
                var handles = IntStream.range(0, 40)
                        .mapToObj(i -> scope.own(thing, "x"))
                        .toList();
                result(elsewhere(() -> {
                    handles.forEach(Owned::close);
                    return "";
                }));
            }
            scope.own(thing, "last");
            assertThat(scope.dump().lines().count()).isLessThan(100);
        }
        assertThat(trail).hasSize(2001);
    }

    @Test
    void closeWithBudget_tasksOverrunIt_isOverdueAndGoesOn() throws Exception {
        var let = new CountDownLatch(1);
        var released = new CountDownLatch(1);
        var scope = Scope.open("s");
        scope.own(ResourceType.<String>of("late", _ -> released.countDown()), "x");
        var in = new CountDownLatch(1);
        var deaf = scope.fork("deaf", () -> {
            in.countDown();
            await(let);
            return "";
        });
        await(in);
        var report = scope.close(Deadline.in(Duration.ofMillis(1)));
        assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE);
        assertThat(report.pending()).singleElement().satisfies(holder -> {
            assertThat(holder.what()).isEqualTo("deaf");
            assertThat(holder.cancelledAgo()).isPresent();
            assertThat(holder.stack().toString()).contains("ScopeTest");
        });
        assertThat(released.getCount()).isOne();
        assertThat(scope.close(Deadline.none())).isSameAs(report);
        let.countDown();
        await(released);
        deaf.join();
        while (scope.phase() != Scope.Phase.CLOSED) {
            Thread.onSpinWait();
        }
        Thread.interrupted();
    }
}
