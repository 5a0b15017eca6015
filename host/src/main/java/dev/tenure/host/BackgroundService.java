package dev.tenure.host;

import java.util.Set;

/// Work that runs as long as the process and belongs to no request: a poller, a refresher.
///
/// **Owner:** the host, from [Host#background] on. **Ends:** by returning, which is fine at any time; by a failure,
/// which stops the host; or when its [BackgroundCancellation] fires at the beginning of `DRAIN_IN_FLIGHT`, after
/// which its thread is interrupted as well and it is joined before anything is disposed of. It is never restarted.
/// **Threads:** a virtual thread of its own with a root scope, so `Scope.current()` works. **Limits:** one per
/// type. **Source:** design 4.
@FunctionalInterface
public interface BackgroundService {
    /// Its name in reports.
    ///
    /// @return the class's simple name unless overridden
    default String name() {
        var name = getClass().getSimpleName();
        return name.isEmpty() ? getClass().getName() : name;
    }

    /// Runs until the work is done or the host stops.
    ///
    /// @param stopping fires when the host stops, never for anything else
    /// @throws Exception stops the host; a `Cancelled` or `InterruptedException` after `stopping` has fired is a
    /// normal end
    void run(BackgroundCancellation stopping) throws Exception;

    /// What it uses: not disposed of before this service has ended.
    ///
    /// @return components of the same host
    default Set<Component> uses() {
        return Set.of();
    }
}
