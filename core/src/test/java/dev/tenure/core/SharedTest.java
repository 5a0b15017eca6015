package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Borrowing against closing, in both orders, and closing from where it would wait for itself.
class SharedTest extends CoreTest {
    private Shared<String> shared;

    @BeforeEach
    void share() {
        shared = Shared.of(thing, "pool");
    }

    @Test
    void borrowed_isUsableUntilItsScopeEnds() {
        Shared.Borrowed<String> borrowed;
        try (var scope = Scope.open("s")) {
            borrowed = shared.borrow(scope);
            assertThat(borrowed.get()).isEqualTo("pool");
            assertThat(shared.borrowers()).isOne();
        }
        assertThat(shared.borrowers()).isZero();
        assertThatThrownBy(borrowed::get).isInstanceOf(StaleHandle.class).hasMessageContaining("borrow of thing");
        assertThat(trail).isEmpty();
        shared.close();
        assertThat(trail).containsExactly("release pool");
    }

    @Test
    void borrowVsClose_closeFirst_borrowerIsRefused() {
        shared.close();
        try (var scope = Scope.open("s")) {
            assertThatThrownBy(() -> shared.borrow(scope))
                    .isInstanceOf(AdmissionClosed.class)
                    .hasMessageContaining("borrow of thing");
        }
        assertThat(trail).containsExactly("release pool");
    }

    @Test
    void borrowVsClose_closeBeforeTheCount_borrowerIsRefused() {
        Gates.once("borrow/thing:before", shared::close);
        try (var scope = Scope.open("s")) {
            assertThatThrownBy(() -> shared.borrow(scope)).isInstanceOf(AdmissionClosed.class);
        }
    }

    @Test
    void borrowVsClose_borrowFirst_closeWaitsForTheReturn() {
        try (var scope = Scope.open("s")) {
            var borrowed = shared.borrow(scope);
            var closer = Thread.ofPlatform().start(shared::close);
            awaitParked(closer);
            assertThat(shared.isClosing()).isTrue();
            assertThatThrownBy(() -> shared.borrow(scope)).isInstanceOf(AdmissionClosed.class);
            assertThat(borrowed.get()).isEqualTo("pool");
            assertThat(trail).isEmpty();
            borrowed.close();
            joined(closer);
            assertThat(trail).containsExactly("release pool");
        }
    }

    @Test
    void returnVsClose_returnBetweenTheTwoStepsOfTheClose_isNotWaitedForTwice() {
        try (var scope = Scope.open("s")) {
            var borrowed = shared.borrow(scope);
            Gates.once("close/thing:closing", borrowed::close);
            result(elsewhere(() -> {
                shared.close();
                return "";
            }));
            assertThat(trail).containsExactly("release pool");
        }
    }

    @Test
    void overdueClose_namesTheBorrower_andTheLastReturnReleases() {
        try (var scope = Scope.open("s")) {
            var borrowed = shared.borrow(scope);
            var report = result(elsewhere(() -> shared.close(Deadline.in(Duration.ofMillis(5)))));
            assertThat(report.status()).isEqualTo(CloseReport.Status.OVERDUE);
            assertThat(report.pending()).hasSize(1);
            assertThat(report.pending().getFirst().what()).isEqualTo("borrow of thing");
            assertThat(report.pending().getFirst().where()).contains("scope s");
            assertThat(trail).isEmpty();
            assertThat(borrowed.get()).isEqualTo("pool");
        }
        assertThat(trail).containsExactly("release pool");
        assertThat(shared.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.OVERDUE);
    }

    @Test
    void closeFromInsideOnesOwnBorrow_isRefusedAndChangesNothing() {
        try (var scope = Scope.open("s")) {
            var borrowed = shared.borrow(scope);
            assertThatThrownBy(shared::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("thing is closed by thread")
                    .hasMessageContaining("from inside its own borrow, in scope s");
            assertThat(shared.isClosing()).isFalse();
            borrowed.close();
            shared.close();
        }
        assertThat(trail).containsExactly("release pool");
    }

    @Test
    void closeByATaskOfTheBorrowersScope_isRefused_sinceTheScopeWaitsForIt() {
        try (var scope = Scope.open("s")) {
            var borrowed = shared.borrow(scope);
            var task = scope.fork("closer", () -> {
                shared.close();
                return "";
            });
            assertThat(task.join())
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.primary()).isInstanceOf(IllegalStateException.class));
            borrowed.close();
        }
        shared.close();
    }

    @Test
    void closeVsClose_bothGetTheSameReport() {
        var in = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var slow = Shared.of(
                ResourceType.<String>of("slow", _ -> {
                    in.countDown();
                    await(let);
                }),
                "x");
        var first = elsewhere(() -> slow.close(Deadline.none()));
        await(in);
        var second = elsewhere(() -> slow.close(Deadline.none()));
        let.countDown();
        assertThat(result(first)).isSameAs(result(second));
        shared.close();
    }

    @Test
    void failingRelease_isToldToTheFirstCloserAlone() {
        var failing = Shared.of(
                ResourceType.<String>of("failing", _ -> {
                    throw new IllegalStateException("stuck");
                }),
                "x");
        assertThatThrownBy(failing::close).isInstanceOf(CloseFailure.class).hasRootCauseMessage("stuck");
        failing.close();
        shared.close();
    }
}
