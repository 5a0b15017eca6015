package dev.tenure.blobs;

import dev.tenure.core.Observer;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.Host;

/// What a store takes from its host.
record Seams(TimeSource clock, Timers timers, Threads threads, Observer observer) {
    static Seams of(Host host) {
        return new Seams(host.timeSource(), host.timers(), host.threads(), host.observer());
    }
}
