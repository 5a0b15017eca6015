package dev.tenure.core;

import java.time.Duration;

/// Since when and where.
record Trace(Duration age, String site) {
    @Override
    public String toString() {
        return ", " + age.toMillis() + " ms old, from " + site;
    }
}
