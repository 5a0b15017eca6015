package dev.tenure.host.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DurationTextTest {
    @Test
    void of_wholeUnits_areWrittenInTheLargest() {
        assertThat(DurationText.of(Duration.ZERO)).isEqualTo("0 s");
        assertThat(DurationText.of(Duration.ofHours(24))).isEqualTo("24 h");
        assertThat(DurationText.of(Duration.ofMinutes(90))).isEqualTo("90 min");
        assertThat(DurationText.of(Duration.ofSeconds(-1))).isEqualTo("-1 s");
        assertThat(DurationText.of(Duration.ofMillis(1_500))).isEqualTo("1500 ms");
        assertThat(DurationText.of(Duration.ofMillis(-100))).isEqualTo("-100 ms");
        assertThat(DurationText.of(Duration.ofSeconds(1, 5))).isEqualTo("PT1.000000005S");
    }
}
