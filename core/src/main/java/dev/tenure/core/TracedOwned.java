package dev.tenure.core;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A handle that knows when and where it came to be.
final class TracedOwned<T> extends Owned<T> {
    private final long sinceNanos;
    private final List<StackTraceElement> site;

    TracedOwned(OwnerList owner, ResourceType<T> type, @Nullable T value, State state) {
        super(owner, type, value, state);
        this.sinceNanos = owner.options().timeSource().nanos();
        this.site = LeakSampler.site(1);
    }

    @Override
    Optional<Trace> trace() {
        long age = owner.options().timeSource().nanos() - sinceNanos;
        return Optional.of(new Trace(
                Duration.ofNanos(age),
                site.isEmpty() ? "unknown" : site.getFirst().toString()));
    }

    @Override
    public String toString() {
        return super.toString() + trace().map(Object::toString).orElse("");
    }
}
