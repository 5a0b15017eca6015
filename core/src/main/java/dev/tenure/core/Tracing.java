package dev.tenure.core;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is noted beyond names: the source line and time of each handle, and scopes that nobody closed.
///
/// Part of [Supervisor.Options], so it is chosen where a scope or supervisor is opened; off by default,
/// and then it costs nothing. **Threads:** immutable; [#leaks(int)] keeps its samples until they are
/// closed or reported.
public final class Tracing {
    private static final Tracing OFF = new Tracing(false, null);
    private static final Tracing SITES = new Tracing(true, null);

    /// A scope that became unreachable without having been closed.
    ///
    /// @param scope its name
    /// @param thread the thread that opened it
    /// @param age since it was opened
    /// @param opened where it was opened, innermost frame first
    /// @param held the kinds of resource it still held, with their number
    public record Leak(
            String scope, String thread, Duration age, List<StackTraceElement> opened, Map<String, Integer> held) {
        /// Copies the collections.
        public Leak {
            opened = List.copyOf(opened);
            held = Map.copyOf(held);
        }
    }

    private final boolean sites;
    private final @Nullable LeakSampler sampler;

    private Tracing(boolean sites, @Nullable LeakSampler sampler) {
        this.sites = sites;
        this.sampler = sampler;
    }

    /// Notes nothing.
    ///
    /// @return the default
    public static Tracing off() {
        return OFF;
    }

    /// Notes for each handle the source line and the time of its acquisition or move; dumps show them.
    /// Costs about a microsecond a handle.
    ///
    /// @return for development and for a service under suspicion
    public static Tracing sites() {
        return SITES;
    }

    /// Watches one scope in so many, and reports those that become unreachable unclosed to
    /// [Observer#leaked]; the report comes when a later scope is sampled. A scope is reachable while
    /// the thread that opened it lives.
    ///
    /// @param oneIn how many scopes share one sample, at least 1
    /// @return the tracing with samples of its own
    public Tracing leaks(int oneIn) {
        if (oneIn < 1) {
            throw new IllegalArgumentException("oneIn: %d (expected: >= 1)".formatted(oneIn));
        }
        return new Tracing(sites, new LeakSampler(oneIn));
    }

    boolean hasSites() {
        return sites;
    }

    @Nullable
    LeakSampler sampler() {
        return sampler;
    }
}
