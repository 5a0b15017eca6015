package dev.tenure.host;

import dev.tenure.core.Holder;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What a [Host] owns and stops: a server, a database, a worker pool.
///
/// **Owner:** the host, once [Host#own] has returned it. **Ends:** in the phases it names; its public `close`, if
/// it has one, is for tests and shares the same outcome. **States:** the host calls each named phase at most once,
/// in order; a later call waits until an earlier one has returned, so two never overlap; [#force] may come beside
/// them. **Threads:** every call has a platform thread of its own, so that a component which hangs holds up no
/// other. **Limits:** a call that has not returned when the budget is over is reported `TIMED_OUT` and goes on; it
/// is never interrupted inside the budget.
///
/// **Counts** the report understands: `admitted`, `completed`, `cancelled`, `retained` (these four must add up),
/// `queued_served`, `released`, `leases`, `temp_files_left`, `resources_left`. Others are shown as they are.
public interface Component {
    /// Its name in reports, such as `http` or `database 'photos'`.
    ///
    /// @return a short static label
    String name();

    /// The phases in which it has something to do. Read once, at registration.
    ///
    /// @return may be empty
    Set<Phase> phases();

    /// Does this component's part of a phase, and returns when that has ended or when [Stop#deadline()] has passed;
    /// whoever still uses it then is told by [#holders()]. It must not close what is still in use: it leaves it and
    /// says who holds it.
    ///
    /// @param phase one of [#phases()]
    /// @param stop the budget, and whether it was forced
    /// @throws Exception is reported as `FAILED`, an error as `PANICKED`; the stop goes on
    void enter(Phase phase, Stop stop) throws Exception;

    /// Cancels what is in flight. Called at most once, when the time for finishing is over (B-F) or somebody forces
    /// the stop, and only while this component has not ended. Must be short and must not wait for what it cancels.
    ///
    /// @param stop the budget
    /// @throws UnsupportedOperationException says that there is nothing to force with: reported `UNAVAILABLE`
    default void force(Stop stop) {
        throw new UnsupportedOperationException(name() + " has no force handle");
    }

    /// Who still uses it. Must be short.
    ///
    /// @return empty when nobody is left
    default List<Holder> holders() {
        return List.of();
    }

    /// Numbers for the report. Must be short.
    ///
    /// @return see the counts of this type
    default Map<String, Long> counts() {
        return Map.of();
    }

    /// One phrase about what a phase did, such as `14 requests in flight, 14 completed`. Must be short.
    ///
    /// @param phase one of [#phases()]
    /// @return empty to let the report make one from [#counts()]
    default String summary(Phase phase) {
        return "";
    }

    /// What it uses: it stops and is disposed of before them, whatever the order of registration. Read once, at
    /// registration. Only what a later line of the program could not show by its order needs to be named.
    ///
    /// @return components of the same host
    default Set<Component> uses() {
        return Set.of();
    }
}
