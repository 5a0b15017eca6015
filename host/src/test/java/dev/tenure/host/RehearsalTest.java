package dev.tenure.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Timers;
import org.junit.jupiter.api.Test;

class RehearsalTest {
    /// A host that is stopped as soon as it has started waits for its rehearsal.
    @Test
    void run_waitsForNothingAndArmsNothing() {
        var armed = Timers.system().pending();
        assertThat(Rehearsal.run()).as("a report is written").isPositive();
        assertThat(Timers.system().pending()).isEqualTo(armed);

        var best = Long.MAX_VALUE;
        for (var round = 0; round < 20; round++) {
            var began = System.nanoTime();
            Rehearsal.run();
            best = Math.min(best, System.nanoTime() - began);
        }
        System.out.printf("a rehearsal: %d us at best%n", best / 1_000);
        assertThat(best / 1_000_000).as("milliseconds of the best of 20").isLessThan(20);
    }
}
