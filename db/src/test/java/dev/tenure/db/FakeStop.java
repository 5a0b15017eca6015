package dev.tenure.db;

import dev.tenure.core.Deadline;
import dev.tenure.core.Reason;
import dev.tenure.host.Stop;
import java.time.Duration;

/// A stop whose time is up.
final class FakeStop implements Stop {
    @Override
    public Deadline deadline() {
        return Deadline.in(Duration.ZERO);
    }

    @Override
    public Deadline forceAt() {
        return deadline();
    }

    @Override
    public Deadline budget() {
        return deadline();
    }

    @Override
    public Reason reason() {
        return Reason.of(Reason.Kind.STOP, "test");
    }

    @Override
    public boolean forced() {
        return true;
    }
}
