package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A release that closes the owner of its own value would wait for itself: it is told so, and nothing
/// has changed.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class SelfCloseTest extends CoreTest {
    @Test
    void supervisor_fromAnEarlyReleaseOnAThirdThread_isRefused() {
        var supervisor = Supervisor.open("s");
        supervisor.own(thing, "kept");
        var handle = supervisor.own(ResourceType.<String>of("closes", _ -> supervisor.close()), "x");
        assertRefused(
                () -> result(elsewhere(() -> {
                    handle.close();
                    return "";
                })),
                "supervisor 's' is closed from inside the release of a value it owns");
        assertThat(supervisor.isSealed()).isFalse();
        assertThat(trail).isEmpty();
        supervisor.close();
        assertThat(trail).containsExactly("release kept");
    }

    @Test
    void supervisor_fromAReleaseWithAThreadOfItsOwn_isRefused() {
        var supervisor = Supervisor.open("s");
        var type = ResourceType.<String>of("closes", _ -> supervisor.close(Deadline.none()))
                .strongMask();
        assertRefused(supervisor.own(type, "x")::close, "supervisor 's' is closed from inside the release");
        supervisor.close();
    }

    @Test
    void supervisor_fromAnEarlyReleaseWhileItsCloseWaitsForThat_isRefused() {
        var in = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var supervisor = Supervisor.open("s");
        var handle = supervisor.own(
                ResourceType.<String>of("closes", _ -> {
                    in.countDown();
                    await(let);
                    supervisor.close();
                }),
                "x");
        var releaser = elsewhere(() -> {
            assertRefused(handle::close, "supervisor 's' is closed from inside the release");
            return "";
        });
        await(in);
        assertThat(supervisor.close(Deadline.in(Duration.ofMillis(1))).status()).isEqualTo(CloseReport.Status.OVERDUE);
        let.countDown();
        result(releaser);
        supervisor.close();
    }

    @Test
    void queue_fromTheReleaseOfAValueInTransit_isRefused() {
        var queue = HandoffQueue.<String>open("q", 2);
        var type = ResourceType.<String>of("closes", _ -> queue.close());
        try (var scope = Scope.open("s")) {
            assertThat(queue.offer(scope.own(type, "x"))).isTrue();
            assertThat(queue.offer(scope.own(thing, "y"))).isTrue();
        }
        assertRefused(queue::close, "queue 'q' is closed from inside the release of a value in transit");
        assertThat(trail).containsExactly("release y");
        assertThat(queue.size()).isZero();
    }

    @Test
    void shared_fromItsReleaseAfterAnOverdueClose_isRefused() {
        var self = new AtomicReference<Shared<String>>();
        var type = ResourceType.<String>of("closes", _ -> self.get().close());
        var shared = Shared.of(type, "x");
        self.set(shared);
        var borrowed = new CountDownLatch(1);
        var let = new CountDownLatch(1);
        var borrower = elsewhere(() -> {
            try (var scope = Scope.open("borrower")) {
                assertThat(shared.borrow(scope).get()).isEqualTo("x");
                borrowed.countDown();
                await(let);
            }
            return "";
        });
        await(borrowed);
        assertThat(shared.close(Deadline.in(Duration.ofMillis(1))).status()).isEqualTo(CloseReport.Status.OVERDUE);
        let.countDown();
        result(borrower);
        shared.close();
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable close, String why) {
        assertThatThrownBy(close)
                .rootCause()
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(why);
    }
}
