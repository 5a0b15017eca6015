package dev.tenure.testkit;

/// What a sweep runs again and again, each time with another fault.
///
/// **Owner:** the test. **Threads:** runs on a virtual thread of the sweep; starts others only through
/// [dev.tenure.core.Scope#fork] and [dev.tenure.core.Supervisor#fork]. It waits through the core or the
/// fakes of its [World] alone: other waits stop the sweep, which then names them. It keeps nothing from
/// one run to the next.
@FunctionalInterface
public interface Scenario {
    /// Runs once, from nothing to nothing.
    ///
    /// @param world the fakes of this run
    /// @throws Exception what the injected fault makes it throw
    void run(World world) throws Exception;
}
