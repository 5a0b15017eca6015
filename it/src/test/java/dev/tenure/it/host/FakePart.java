package dev.tenure.it.host;

import dev.tenure.core.Holder;
import dev.tenure.host.Component;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/// A component whose every move a test decides.
final class FakePart implements Component, Part<FakePart> {
    /// What it does in a phase.
    @FunctionalInterface
    interface Hook {
        void run(Stop stop) throws Exception;
    }

    private final String name;
    private final Map<Phase, Hook> hooks = new EnumMap<>(Phase.class);
    private final Set<Component> uses = new HashSet<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();
    private boolean broken;
    private Hook force = _ -> {
        throw new UnsupportedOperationException("no force handle");
    };
    private Supplier<List<Holder>> holders = List::of;

    private FakePart(String name) {
        this.name = name;
    }

    static FakePart named(String name) {
        return new FakePart(name);
    }

    FakePart on(Phase phase, Hook hook) {
        hooks.put(phase, hook);
        return this;
    }

    FakePart onAll(Hook hook) {
        for (var phase : Phase.values()) {
            hooks.put(phase, hook);
        }
        return this;
    }

    FakePart onForce(Hook hook) {
        force = hook;
        return this;
    }

    FakePart using(Component... others) {
        uses.addAll(Set.of(others));
        return this;
    }

    FakePart brokenUses() {
        broken = true;
        return this;
    }

    FakePart heldBy(Supplier<List<Holder>> who) {
        holders = who;
        return this;
    }

    FakePart counting(String key, long value) {
        counts.put(key, value);
        return this;
    }

    @Override
    public FakePart open(Host host) {
        return this;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<Phase> phases() {
        return hooks.keySet();
    }

    @Override
    public void enter(Phase phase, Stop stop) throws Exception {
        var hook = hooks.get(phase);
        if (hook != null) {
            hook.run(stop);
        }
    }

    @Override
    public void force(Stop stop) {
        try {
            force.run(stop);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new IllegalStateException(thrown);
        }
    }

    @Override
    public List<Holder> holders() {
        return holders.get();
    }

    @Override
    public Map<String, Long> counts() {
        return counts;
    }

    @Override
    public Set<Component> uses() {
        if (broken) {
            throw new IllegalStateException("uses: unknown");
        }
        return uses;
    }
}
