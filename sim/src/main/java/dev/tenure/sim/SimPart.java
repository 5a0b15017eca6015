package dev.tenure.sim;

import dev.tenure.db.Migration;
import dev.tenure.testkit.World;
import dev.tenure.testkit.WorldPart;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Makes a [Sim] for each run of a sweep: as a parameter of a `@FaultSweep` method, or by hand.
///
/// **Owner:** the sweep. **Threads:** one at a time. **Limits:** keeps one migrated, empty database for each
/// migration, so that the thousandth run does not migrate again.
public final class SimPart implements WorldPart {
    private final Map<String, byte[]> templates = new ConcurrentHashMap<>();

    /// For `ServiceLoader`, and for a sweep that is begun by hand: one for all its runs.
    public SimPart() {}

    /// Makes a schema before the sweep begins: for migrations that take seconds, which a sweep would take for a stall.
    ///
    /// @param name as for [Sim#migratedBy]
    /// @param step makes it
    /// @return this
    public SimPart prepared(String name, Migration step) {
        templates.computeIfAbsent(name, _ -> Outside.run(() -> SqlStore.migrated(step)));
        return this;
    }

    @Override
    public Class<?> type() {
        return Sim.class;
    }

    @Override
    public Sim make(World world) {
        return new Sim(world, templates);
    }
}
