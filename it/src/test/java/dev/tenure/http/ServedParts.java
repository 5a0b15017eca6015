package dev.tenure.http;

import dev.tenure.core.Supervisor;
import dev.tenure.host.Host;
import dev.tenure.http.internal.exchange.EngineLimits;
import dev.tenure.http.internal.exchange.Plan;
import dev.tenure.http.internal.flow.ExchangeStarter;
import dev.tenure.http.internal.wire.WireLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What a server has above its connections, without listener and event loops: planner, starter of handlers, limits.
///
/// @param planner says what becomes of a request
/// @param starter starts handlers in tasks of the supervisor
/// @param limits of a connection
public record ServedParts(Plan.Planner planner, ExchangeStarter starter, EngineLimits limits) {
    private static final int BYTES = 65_536;

    /// Makes them as the builder of a server does.
    ///
    /// @param routes what is served
    /// @param owner tells of failures, and opens activities
    /// @param tasks runs the handlers
    /// @return the parts
    public static ServedParts of(RouteSource routes, Host owner, Supervisor tasks) {
        var limits = HttpLimits.defaults();
        var counts = new ExchangeCounts();
        var custom = new Serving.Custom("http", Optional.empty(), Map.of());
        var serving = new Serving(custom, owner.observer(), owner.timeSource(), owner::openActivity);
        var planner = new RequestPlanner(List.of(routes), limits, () -> counts.inFlight() >= limits.exchangesMax());
        return new ServedParts(planner, new Handlers(serving, counts, tasks), engine(limits));
    }

    private static EngineLimits engine(HttpLimits limits) {
        var wire = new WireLimits(limits.lineBytesMax(), limits.headBytesMax(), limits.fieldsMax());
        var clocks = new EngineLimits.Clocks(
                limits.header().toNanos(),
                limits.bodyIdle().toNanos(),
                limits.writeIdle().toNanos(),
                limits.keepAlive().toNanos(),
                limits.linger().toNanos(),
                limits.heartbeat().toNanos(),
                Duration.ofSeconds(1).toNanos());
        return new EngineLimits(wire, clocks, new EngineLimits.Sizes(BYTES, BYTES, BYTES, 1_000), true);
    }
}
