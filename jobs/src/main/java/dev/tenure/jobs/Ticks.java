package dev.tenure.jobs;

import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.core.Timers;
import dev.tenure.host.Activity;
import dev.tenure.host.Host;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/// What a worker has from its host: time, tasks, activities, and a voice.
record Ticks(Supervisor.Options supervised, Timers timers, Function<String, Activity> activities) {
    static Ticks of(Host host) {
        return new Ticks(host.supervised(), host.timers(), host::openActivity);
    }

    TimeSource time() {
        return supervised.timeSource();
    }

    Threads threads() {
        return supervised.threads();
    }

    Observer observer() {
        return supervised.observer();
    }

    Instant now() {
        return time().now();
    }

    Deadline in(Duration wait) {
        return Deadline.in(wait, time());
    }

    void pause(Duration wait) {
        new Signal().await(in(wait), timers);
    }
}
