package dev.tenure.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.host.ConfigurationError;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void after_withoutJitter_doublesUpToTheCap() {
        var backoff = new Backoff(SECOND, 2, Duration.ofSeconds(10), 0);
        assertThat(IntStream.rangeClosed(1, 6).mapToObj(attempt -> backoff.after(attempt, 7)))
                .extracting(Duration::toSeconds)
                .containsExactly(1L, 2L, 4L, 8L, 10L, 10L);
    }

    @Test
    void after_withJitter_isShorterByAtMostThatShare_andDiffersByJob() {
        var backoff = new Backoff(SECOND, 2, Duration.ofMinutes(1), 0.5);
        var waits = IntStream.range(0, 1_000)
                .mapToObj(seed -> backoff.after(3, seed))
                .toList();
        assertThat(waits)
                .allMatch(wait -> wait.compareTo(Duration.ofSeconds(2)) >= 0)
                .allMatch(wait -> wait.compareTo(Duration.ofSeconds(4)) <= 0);
        assertThat(waits.stream().distinct().count()).isGreaterThan(300);
    }

    @Test
    void after_sameAttemptAndSeed_isTheSame() {
        assertThat(Backoff.standard().after(4, 42)).isEqualTo(Backoff.standard().after(4, 42));
    }

    @Test
    void after_aThousandAttempts_doesNotOverflow() {
        assertThat(Backoff.standard().after(1_000, 1)).isBetween(Duration.ofSeconds(150), Duration.ofMinutes(5));
    }

    @Test
    void outOfRange_isRefusedByKeyValueAndRange() {
        assertThatThrownBy(() -> new Backoff(Duration.ZERO, 2, SECOND, 0))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("backoff.first: 0 s (expected: 1 ms to 86400 s)");
        assertThatThrownBy(() -> new Backoff(SECOND, 0.5, SECOND, 0))
                .hasMessage("backoff.factor: 0.5 (expected: 1 to 10)");
        assertThatThrownBy(() -> new Backoff(SECOND, 2, SECOND, Double.NaN))
                .hasMessage("backoff.jitter: NaN (expected: 0 to 1)");
        assertThatThrownBy(() -> JobPolicy.standard().attemptsMax(0))
                .hasMessage("job.attemptsMax: 0 (expected: 1 to 1000)");
        assertThatThrownBy(() -> JobPolicy.standard().stopGrace(Duration.ofMillis(-1)))
                .isInstanceOf(ConfigurationError.class);
    }
}
