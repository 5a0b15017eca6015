package dev.tenure.host;

import dev.tenure.core.Holder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a stop did: the only evidence that something ended.
///
/// Made once for each host; every caller gets the same one, and what ends later does not rewrite it: that shows in
/// [Host#snapshot()].
///
/// **Threads:** immutable. **Source:** design 4.
///
/// @param host the host's name
/// @param completion how the whole stop ended
/// @param trigger who asked first, such as `SIGTERM`
/// @param forcedBy who asked for force before its time, such as a second signal; empty if nobody did
/// @param elapsed from the first request to this report
/// @param budget B
/// @param phases what each phase did, in order
/// @param components how each component ended, in the order of registration
/// @param left what had not ended
public record ShutdownReport(
        String host,
        Completion completion,
        String trigger,
        Optional<String> forcedBy,
        Duration elapsed,
        Duration budget,
        List<PhaseReport> phases,
        List<ComponentReport> components,
        Left left) {
    /// Copies the lists.
    public ShutdownReport {
        phases = List.copyOf(phases);
        components = List.copyOf(components);
    }

    /// How a stop ended; the worse outranks the better.
    public enum Completion {
        /// Everything ended by itself.
        GRACEFUL(0),
        /// Everything ended, some of it because it was cancelled.
        FORCED(71),
        /// Everything ended, but something failed: a cleanup, a background service, or the start.
        FAILED(70),
        /// Something had not ended when the budget had: it is still owned, and the report names who holds it.
        INCOMPLETE(72);

        private final int exitCode;

        Completion(int exitCode) {
            this.exitCode = exitCode;
        }

        /// The exit code that tells this apart.
        ///
        /// @return 0, 70, 71 or 72
        public int exitCode() {
            return exitCode;
        }
    }

    /// How a component, or one call of it, ended.
    public enum Outcome {
        /// It did what it had to.
        COMPLETED,
        /// Not ours: never closed by us.
        NOT_OWNED,
        /// It ended after its work was cancelled.
        CANCELLED_BY_FORCE,
        /// It threw an exception.
        FAILED,
        /// It threw an error.
        PANICKED,
        /// It had not returned when the budget was over; it may still run.
        TIMED_OUT,
        /// Somebody still uses it, so it was not closed.
        RETAINED;

        /// Whether everything that belongs to it has ended.
        ///
        /// @return false for `TIMED_OUT` and `RETAINED`
        public boolean hasEnded() {
            return this != TIMED_OUT && this != RETAINED;
        }
    }

    /// What became of a component's force handle.
    public enum Forced {
        /// It was not needed.
        NOT_ATTEMPTED,
        /// It did what it had to.
        COMPLETED,
        /// It threw.
        FAILED,
        /// It had not returned at the end of the stop.
        TIMED_OUT,
        /// The component has none.
        UNAVAILABLE
    }

    /// One phase.
    ///
    /// @param phase which
    /// @param elapsed how long it took
    /// @param calls the components that had something to do, in the order in which they were entered
    public record PhaseReport(Phase phase, Duration elapsed, List<CallReport> calls) {
        /// Copies the list.
        public PhaseReport {
            calls = List.copyOf(calls);
        }
    }

    /// One component in one phase.
    ///
    /// @param component its name
    /// @param outcome how the call ended; `RETAINED` if it was not made since somebody still uses the component
    /// @param elapsed how long it took, or has taken up to the report
    /// @param summary one phrase about what it did, may be empty
    /// @param joinedLate how long after its time was over it returned after all; only in a snapshot
    public record CallReport(
            String component, Outcome outcome, Duration elapsed, String summary, Optional<Duration> joinedLate) {}

    /// One component.
    ///
    /// @param name its name
    /// @param outcome the worst of its calls; `RETAINED` if somebody still uses it
    /// @param forced what became of its force handle
    /// @param counts its numbers
    /// @param holders who still uses it
    /// @param failures what it threw, one line each, in order
    public record ComponentReport(
            String name,
            Outcome outcome,
            Forced forced,
            Map<String, Long> counts,
            List<Holder> holders,
            List<String> failures) {
        /// Copies the collections; the counts keep their order.
        public ComponentReport {
            counts = Collections.unmodifiableMap(new LinkedHashMap<>(counts));
            holders = List.copyOf(holders);
            failures = List.copyOf(failures);
        }

        /// One of its numbers.
        ///
        /// @param key such as `admitted`
        /// @return zero if it has none of that name
        public long count(String key) {
            return counts.getOrDefault(key, 0L);
        }
    }

    /// What had not ended.
    ///
    /// @param resources components and what they say they still own
    /// @param threads threads that still run for us
    /// @param temporaryFiles files that could not be removed, or are still in use
    public record Left(long resources, long threads, long temporaryFiles) {}

    /// The exit code of this completion.
    ///
    /// @return 0 graceful, 70 failed, 71 forced, 72 incomplete
    public int exitCode() {
        return completion.exitCode();
    }

    /// Whether no user is unproven: nothing of ours can touch any more what was lent to us.
    ///
    /// @return false if a component timed out or is retained
    public boolean quiescent() {
        return components.stream().allMatch(component -> component.outcome().hasEnded());
    }

    /// A component by name.
    ///
    /// @param name its name
    /// @return the first of that name
    public Optional<ComponentReport> component(String name) {
        return components.stream()
                .filter(component -> component.name().equals(name))
                .findFirst();
    }

    /// A phase.
    ///
    /// @param phase which
    /// @return empty if the stop ended before it, or nobody had anything to do there
    public Optional<PhaseReport> phase(Phase phase) {
        return phases.stream().filter(report -> report.phase() == phase).findFirst();
    }

    /// A number summed over all components, such as `admitted`.
    ///
    /// @param key the name of the count
    /// @return the sum
    public long total(String key) {
        return components.stream().mapToLong(component -> component.count(key)).sum();
    }

    /// Whether admitted = completed + cancelled + retained, for each component that counts them.
    ///
    /// @return true if no unit of work is unaccounted for
    public boolean reconciles() {
        return components.stream()
                .filter(part -> part.counts().containsKey("admitted"))
                .allMatch(part -> part.count("admitted")
                        == part.count("completed") + part.count("cancelled") + part.count("retained"));
    }

    /// For people.
    ///
    /// @return several lines, the first of them a summary; no line feed at the end
    public String toText() {
        return ReportText.of(this);
    }

    /// For programs.
    ///
    /// @return one JSON object
    public String toJson() {
        return ReportJson.of(this);
    }
}
