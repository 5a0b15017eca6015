package dev.tenure.checks.samples.time.reference;

import java.time.Instant;
import java.util.function.Supplier;

final class RefersToTheClock {

    private RefersToTheClock() {}

    static Supplier<Instant> clock() {
        return Instant::now;
    }
}
