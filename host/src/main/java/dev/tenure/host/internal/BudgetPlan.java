package dev.tenure.host.internal;

import java.time.Duration;

/// How one stop budget is divided: a pure value, all readings in nanoseconds after the first request to stop.
///
/// ```
/// 0 ............ forceAt ...... cooperativeEnd ...... disposeEnd ...... total
///   finish by yourself | cancelled  |      dispose        |  telemetry
/// ```
///
/// **Threads:** immutable. **Limits:** force reserve `F = min(B/4, 2 s)`, cooperative window `min(250 ms, F/4)`,
/// telemetry `min(F/4, 250 ms)`. These are latest times, not grants: work that ends early makes the stop end early.
/// **Source:** design 4.
///
/// @param totalNanos the budget B
/// @param forceAtNanos when work in flight is cancelled and force handles are called: `B - F`
/// @param cooperativeEndNanos until when cancelled work is waited for
/// @param disposeEndNanos until when dependencies are disposed of; the rest is telemetry's
public record BudgetPlan(long totalNanos, long forceAtNanos, long cooperativeEndNanos, long disposeEndNanos) {
    /// From the request for force to the report, if something does not obey: it leaves 30 ms of 100 to writing it.
    public static final Duration REPORT_AFTER_FORCE = Duration.ofMillis(70);

    private static final long RESERVE_NANOS_MAX = Duration.ofSeconds(2).toNanos();
    private static final long WINDOW_NANOS_MAX = Duration.ofMillis(250).toNanos();
    private static final long OBEY_NANOS = Duration.ofMillis(40).toNanos();
    private static final long FINISH_NANOS = Duration.ofSeconds(1).toNanos();

    /// The plan of a budget.
    ///
    /// @param budget B, positive
    /// @return the plan
    public static BudgetPlan of(Duration budget) {
        var total = budget.toNanos();
        var reserve = Math.min(total / 4, RESERVE_NANOS_MAX);
        var window = Math.min(reserve / 4, WINDOW_NANOS_MAX);
        var forceAt = total - reserve;
        return new BudgetPlan(total, forceAt, forceAt + window, total - window);
    }

    /// The plan after somebody asked for force: everything is cancelled now, and what has ended within 40 ms is
    /// disposed of within a second. Only ever shortens.
    ///
    /// @param atNanos when force was asked for
    /// @return the shortened plan
    public BudgetPlan forcedAt(long atNanos) {
        var at = Math.max(0, Math.min(atNanos, totalNanos));
        var obeyed = Math.min(at + OBEY_NANOS, at + (totalNanos - at) / 2);
        var total = Math.min(totalNanos, at + FINISH_NANOS);
        return new BudgetPlan(
                total,
                Math.min(forceAtNanos, at),
                Math.min(cooperativeEndNanos, obeyed),
                Math.min(disposeEndNanos, total - (total - at) / 8));
    }

    /// The plan once what was forced turns out not to have ended: the report 70 ms after the request for force, which
    /// leaves 30 ms of 100 to writing and printing it.
    ///
    /// @param atNanos when force was asked for
    /// @return the plan, shortened
    public BudgetPlan reportSoonAfter(long atNanos) {
        var at = Math.max(0, Math.min(atNanos, totalNanos));
        var total = Math.min(totalNanos, at + REPORT_AFTER_FORCE.toNanos());
        var disposeEnd = Math.min(disposeEndNanos, total - (total - at) / 8);
        return new BudgetPlan(total, forceAtNanos, Math.min(cooperativeEndNanos, disposeEnd), disposeEnd);
    }

    /// Until when readiness and admission hooks are waited for: a quarter of what is left before force, so that one
    /// that hangs leaves the rest to the work in flight.
    ///
    /// @param fromNanos when the phase began
    /// @return the latest end
    public long earlyPhaseEnd(long fromNanos) {
        var end = fromNanos < forceAtNanos ? forceAtNanos : cooperativeEndNanos;
        return fromNanos + Math.max(0, end - fromNanos) / 4;
    }

    /// The share of one call among several that run one after the other.
    ///
    /// @param fromNanos now
    /// @param endNanos the latest end of the last call
    /// @param calls how many are left, this one counted
    /// @return the latest end of this call
    public static long share(long fromNanos, long endNanos, int calls) {
        return fromNanos >= endNanos ? endNanos : fromNanos + (endNanos - fromNanos) / calls;
    }
}
