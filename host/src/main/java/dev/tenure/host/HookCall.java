package dev.tenure.host;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.host.internal.Bell;
import dev.tenure.host.internal.ExitHook;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One call of a component, on a platform thread of its own.
///
/// ```
/// started -> entered -> ended          (written by its thread)
///                '----> exited         (it called System.exit and never returns)
/// concluded: the coordinator fixed the outcome; an end after that is a late join
/// ```
final class HookCall {
    private final String what;
    private final TimeSource time;
    private final Bell bell;
    private final long startedNanos;

    // Written by its thread.
    private volatile boolean underWay;
    private volatile boolean ended;
    private volatile long endedNanos;
    private volatile @Nullable Throwable failure;

    // Written by the coordinator.
    private volatile @Nullable Thread thread;
    private volatile boolean afterForce;
    private volatile boolean exited;
    private volatile @Nullable Outcome outcome;
    private volatile long concludedNanos;

    HookCall(String what, TimeSource time, Bell bell) {
        this.what = what;
        this.time = time;
        this.bell = bell;
        this.startedNanos = time.nanos();
    }

    /// Work was cancelled before this call: what it does is not an effect of that.
    void comesAfterForce() {
        afterForce = true;
    }

    /// Starts the thread. It waits for an earlier call of the same component first.
    void start(Threads threads, @Nullable HookCall earlier, Cleanup hook) {
        try {
            thread = threads.startPlatform("tenure-host-" + what, () -> call(earlier, hook));
        } catch (Throwable refused) {
            failure = refused;
            over();
        }
    }

    private void call(@Nullable HookCall earlier, Cleanup hook) {
        underWay = true;
        bell.ring();
        try {
            if (earlier != null) {
                bell.await(earlier::isOver, Deadline.none());
            }
            OwnedWork.run(what, hook);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            over();
        }
    }

    private void over() {
        endedNanos = time.nanos();
        underWay = true;
        ended = true;
        bell.ring();
    }

    boolean isUnderWay() {
        return underWay;
    }

    boolean isOver() {
        return ended || exited;
    }

    /// Looks whether its thread waits for the exit of the JVM.
    ///
    /// @param usersExit whether everybody it waits for does
    void lookForExit(boolean usersExit) {
        var running = thread;
        if (isOver() || running == null) {
            return;
        }
        if (usersExit || ExitHook.isExiting(List.of(running.getStackTrace()))) {
            failure = new IllegalStateException(
                    what + ": System.exit was called from inside, and the JVM's exit waits for this stop");
            exited = true;
            bell.ring();
        }
    }

    /// Fixes the outcome, once.
    ///
    /// @param forcedNanos when work was cancelled, if it was
    void conclude(Optional<Long> forcedNanos) {
        if (outcome == null) {
            outcome = outcomeNow(forcedNanos);
            concludedNanos = time.nanos();
        }
    }

    private Outcome outcomeNow(Optional<Long> forcedNanos) {
        if (!isOver()) {
            return Outcome.TIMED_OUT;
        }
        var forcedMeanwhile = forcedNanos.filter(at -> !afterForce && at - startedNanos >= 0 && endedNanos - at >= 0);
        var thrown = failure;
        if (thrown == null || (forcedMeanwhile.isPresent() && isMessenger(thrown))) {
            return forcedMeanwhile.isPresent() ? Outcome.CANCELLED_BY_FORCE : Outcome.COMPLETED;
        }
        return thrown instanceof Error ? Outcome.PANICKED : Outcome.FAILED;
    }

    static boolean isMessenger(Throwable thrown) {
        return thrown instanceof Cancelled || thrown instanceof InterruptedException;
    }

    /// The fixed outcome; before it is fixed, `TIMED_OUT` says that it has not ended.
    Outcome outcome() {
        var fixed = outcome;
        return fixed != null ? fixed : outcomeNow(Optional.empty());
    }

    Optional<Throwable> failure() {
        var thrown = failure;
        return outcome() == Outcome.CANCELLED_BY_FORCE ? Optional.empty() : Optional.ofNullable(thrown);
    }

    /// Itself, as long as it runs: where its thread is.
    ///
    /// @param where the code that hangs, for the report
    Optional<Holder> running(String where) {
        var runner = thread;
        if (isOver() || runner == null) {
            return Optional.empty();
        }
        return Optional.of(new Holder(what, where, elapsed(), Optional.empty(), List.of(runner.getStackTrace())));
    }

    Duration elapsed() {
        return Duration.ofNanos((ended ? endedNanos : time.nanos()) - startedNanos);
    }

    Optional<Duration> joinedLate() {
        return ended && outcome == Outcome.TIMED_OUT
                ? Optional.of(Duration.ofNanos(endedNanos - concludedNanos))
                : Optional.empty();
    }
}
