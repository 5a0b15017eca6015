package dev.tenure.core;

import java.time.Instant;

/// The machine's clocks.
enum SystemTime implements TimeSource {
    INSTANCE;

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }
}
