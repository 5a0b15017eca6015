package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Deadline;
import dev.tenure.core.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeClockTest {
    private final FakeClock clock = new FakeClock();
    private final List<String> rang = new ArrayList<>();

    @Test
    void advance_ringsAlarmsInTheOrderOfTheirDeadlines_theClockStandingThere() {
        arm("late", 30);
        arm("first of two", 20);
        arm("second of two", 20);
        arm("early", 10);
        arm("never", 31);

        clock.advance(Duration.ofMillis(30));

        assertThat(rang).containsExactly("early at 10", "first of two at 20", "second of two at 20", "late at 30");
        assertThat(clock.pending()).isEqualTo(1);
        assertThat(clock.now()).isEqualTo(Instant.parse("2026-01-01T00:00:00.030Z"));
    }

    @Test
    void advance_alarmArmedByAnAlarm_ringsInTheSameAdvance() {
        clock.at(clock.deadline(Duration.ofMillis(10)), () -> arm("armed at 10", 5));

        clock.advance(Duration.ofMillis(15));

        assertThat(rang).containsExactly("armed at 10 at 15");
    }

    @Test
    void at_deadlineThatHasPassed_ringsAtTheNextAdvance() {
        arm("due", 0);
        assertThat(rang).isEmpty();

        clock.advance(Duration.ZERO);

        assertThat(rang).containsExactly("due at 0");
    }

    @Test
    void cancel_beforeItRings_keepsItFromRinging_once() {
        var alarm = clock.at(clock.deadline(Duration.ofMillis(1)), () -> rang.add("no"));

        assertThat(alarm.cancel()).isTrue();
        assertThat(alarm.cancel()).isFalse();
        clock.advance(Duration.ofSeconds(1));

        assertThat(rang).isEmpty();
        assertThat(clock.pending()).isZero();
    }

    @Test
    void deadlines_crossTheOverflowOfTheReading() {
        var deadline = clock.deadline(Duration.ofSeconds(5));
        assertThat(clock.nanos()).isPositive();

        clock.advance(Duration.ofSeconds(4));

        assertThat(clock.nanos()).as("it has overflown").isNegative();
        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(1));
        assertThat(deadline.passed()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThat(deadline.passed()).isTrue();
    }

    @Test
    void none_neverRings() {
        assertThat(clock.at(Deadline.none(), () -> {}).cancel()).isFalse();
        assertThat(clock.pending()).isZero();
    }

    @Test
    void isItsOwnTimers() {
        assertThat(Timers.of(clock)).isSameAs(clock);
    }

    @Test
    void advance_backwards_isRefused() {
        assertThatThrownBy(() -> clock.advance(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("step: PT-0.001S (expected: >= 0)");
    }

    private void arm(String name, long millis) {
        var start = Instant.parse("2026-01-01T00:00:00Z");
        clock.at(
                clock.deadline(Duration.ofMillis(millis)),
                () -> rang.add(
                        name + " at " + Duration.between(start, clock.now()).toMillis()));
    }
}
