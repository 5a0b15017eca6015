package dev.tenure.jobs;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Throws at one point, the first time it is reached.
record FailOnce(String point, AtomicBoolean fired) implements Consumer<String> {
    FailOnce(String point) {
        this(point, new AtomicBoolean());
    }

    @Override
    public void accept(String reached) {
        if (reached.equals(point) && fired.compareAndSet(false, true)) {
            throw new IllegalStateException("injected at " + point);
        }
    }
}
