package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class DeadlineTest extends CoreTest {
    /// A clock whose reading is about to overflow.
    private static final class Edge implements TimeSource {
        long nanos = Long.MAX_VALUE - 5;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }
    }

    @Test
    void in_clockOverflows_stillOrdersAndPasses() {
        var clock = new Edge();
        var early = Deadline.in(Duration.ofNanos(3), clock);
        var late = Deadline.in(Duration.ofNanos(30), clock);
        assertThat(early.min(late)).isSameAs(early);
        assertThat(late.min(early)).isSameAs(early);
        clock.nanos += 10;
        assertThat(early.passed()).isTrue();
        assertThat(late.passed()).isFalse();
        assertThat(late.remaining()).isEqualTo(Duration.ofNanos(20));
    }

    @Test
    void in_aThousandYears_countsAsAHundred() {
        var far = Deadline.in(Duration.ofDays(365_000));
        assertThat(far.passed()).isFalse();
        assertThat(far.remaining()).isBetween(Duration.ofDays(36_524), Duration.ofDays(36_525));
    }

    @Test
    void none_neverPasses_andYieldsToAnyOther() {
        var soon = Deadline.in(Duration.ZERO);
        assertThat(Deadline.none().passed()).isFalse();
        assertThat(Deadline.none().min(soon)).isSameAs(soon);
        assertThat(soon.min(Deadline.none())).isSameAs(soon);
        assertThat(Deadline.none().minus(Duration.ofDays(1)).isNone()).isTrue();
    }

    @Test
    void timers_cancelledAlarm_isGoneAtOnce() {
        var rang = new AtomicBoolean();
        var alarm = Timers.system().at(Deadline.in(Duration.ofHours(1)), () -> rang.set(true));
        assertThat(Timers.system().pending()).isOne();
        assertThat(alarm.cancel()).isTrue();
        assertThat(Timers.system().pending()).isZero();
        assertThat(rang).isFalse();
    }

    @Test
    void timers_dueAlarm_ringsOnTheTimerThread() {
        var rang = new CountDownLatch(1);
        Timers.system().at(Deadline.in(Duration.ZERO), () -> {
            trail.add(Thread.currentThread().getName());
            rang.countDown();
        });
        await(rang);
        assertThat(trail).containsExactly("tenure-timer");
    }
}
