package dev.tenure.core;

import java.time.Duration;
import java.util.List;

/// What a close did: evidence, not a wish.
///
/// **Threads:** immutable. A report is made once; what ends later does not rewrite it (Law 10).
///
/// @param owner the owner's name
/// @param status how it ended
/// @param released how many values were released by this close
/// @param failures cleanups and unobserved tasks that failed, in order
/// @param pending what had not ended when the wait did
/// @param elapsed how long the close took
public record CloseReport(
        String owner, Status status, int released, List<Failure> failures, List<Holder> pending, Duration elapsed) {
    /// Copies the lists.
    public CloseReport {
        failures = List.copyOf(failures);
        pending = List.copyOf(pending);
    }

    /// How a close ended.
    public enum Status {
        /// Everything ended and no cleanup failed.
        CLEAN,
        /// Everything ended, some of it by failing.
        FAILED,
        /// The wait ended first; the owner still owns and goes on waiting in the background.
        OVERDUE
    }

    /// One failed ending.
    ///
    /// @param what the resource or task
    /// @param failure what it threw
    public record Failure(String what, Throwable failure) {}

    static CloseReport ended(String owner, int released, List<Failure> failures, Duration elapsed) {
        var status = failures.isEmpty() ? Status.CLEAN : Status.FAILED;
        return new CloseReport(owner, status, released, failures, List.of(), elapsed);
    }
}
