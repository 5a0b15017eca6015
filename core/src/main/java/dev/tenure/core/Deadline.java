package dev.tenure.core;

import java.time.Duration;
import java.util.Objects;

/// An absolute point on a monotonic clock after which nobody waits any more.
///
/// A deadline bounds waiting, never ownership (Law 7). It is shared by all phases of one operation and only ever
/// shortened, by [#min].
///
/// **Threads:** immutable. **Limits:** nanosecond resolution; a duration beyond 100 years counts as 100 years, so that
/// the
/// arithmetic cannot overflow. **Source:** design 3; `System.nanoTime` on comparing by difference.
public final class Deadline {
    private static final Duration LONGEST = Duration.ofDays(36_525);
    private static final Deadline NONE = new Deadline(0, TimeSource.system(), true);

    private final long nanos;
    private final TimeSource source;
    private final boolean none;

    private Deadline(long nanos, TimeSource source, boolean none) {
        this.nanos = nanos;
        this.source = source;
        this.none = none;
    }

    /// A deadline on the system's clock.
    ///
    /// @param wait from now; zero or negative has passed already
    /// @return the deadline
    public static Deadline in(Duration wait) {
        return in(wait, TimeSource.system());
    }

    /// A deadline on the given clock.
    ///
    /// @param wait from now; zero or negative has passed already
    /// @param source the clock
    /// @return the deadline
    public static Deadline in(Duration wait, TimeSource source) {
        return new Deadline(source.nanos() + clamp(wait), source, false);
    }

    /// A deadline at a reading of the given clock.
    ///
    /// @param nanos the reading of [TimeSource#nanos()]
    /// @param source the clock
    /// @return the deadline
    public static Deadline atNanos(long nanos, TimeSource source) {
        return new Deadline(nanos, Objects.requireNonNull(source, "source"), false);
    }

    /// No deadline: never passes.
    ///
    /// @return the shared instance
    public static Deadline none() {
        return NONE;
    }

    /// The earlier of the two; both are expected to be on the same clock.
    ///
    /// @param other the other
    /// @return this or the other
    public Deadline min(Deadline other) {
        if (other.none) {
            return this;
        }
        if (none) {
            return other;
        }
        return remainingNanos() <= other.remainingNanos() ? this : other;
    }

    /// A deadline that is this much earlier; [#none()] stays none.
    ///
    /// @param span how much, not negative
    /// @return the earlier deadline
    public Deadline minus(Duration span) {
        return none ? this : new Deadline(nanos - clamp(span), source, false);
    }

    /// How long is left.
    ///
    /// @return zero or less when passed; a hundred years when there is no deadline
    public Duration remaining() {
        return Duration.ofNanos(remainingNanos());
    }

    /// How long is left, in nanoseconds.
    ///
    /// @return zero or less when passed; a hundred years when there is no deadline
    public long remainingNanos() {
        return none ? LONGEST.toNanos() : nanos - source.nanos();
    }

    /// Whether it lies in the past.
    ///
    /// @return false if there is none
    public boolean passed() {
        return !none && nanos - source.nanos() <= 0;
    }

    /// Whether this is no deadline at all.
    ///
    /// @return true for [#none()]
    public boolean isNone() {
        return none;
    }

    /// The clock it is on.
    ///
    /// @return the clock
    public TimeSource source() {
        return source;
    }

    private static long clamp(Duration span) {
        return span.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : span.isNegative() ? 0 : span.toNanos();
    }

    @Override
    public String toString() {
        return none ? "no deadline" : "in " + remaining().toMillis() + " ms";
    }
}
