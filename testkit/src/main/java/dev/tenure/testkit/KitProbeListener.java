package dev.tenure.testkit;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.spi.ProbeListener;
import dev.tenure.testkit.internal.engine.Run;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Forwards what the core tells to the run of a [Sweep], to the listeners of [Probes] and to the
/// [Ledger].
///
/// **Owner:** the core, which finds it through `ServiceLoader`. **Threads:** any. Not for use in tests.
@SuppressWarnings("exports") // found by the core alone
public final class KitProbeListener implements ProbeListener {
    private final KitProbes kit = KitProbes.KIT;

    /// For `ServiceLoader`.
    public KitProbeListener() {}

    @Override
    public void at(String kind, String resource, String side) {
        Run run = kit.run();
        if (run != null) {
            run.at(kind, resource, side);
        }
        var listeners = kit.listeners();
        if (listeners.isEmpty()) {
            return;
        }
        String point = side.isEmpty() ? kind : kind + '/' + resource + ':' + side;
        for (var listener : listeners) {
            listener.accept(point);
        }
    }

    @Override
    public void opened(String kind, String name, Object identity, @Nullable Object owner) {
        Run run = kit.run();
        if (run == null || !run.opened(kind, name, identity, owner)) {
            kit.ledger().opened(kind, name, identity);
        }
    }

    @Override
    public void moved(Object from, Object to, Object owner, String event) {
        Run run = kit.run();
        if (run == null || !run.moved(from, to, owner, event)) {
            kit.ledger().moved(from, to);
        }
    }

    @Override
    public void ended(String kind, String name, Object identity, String how) {
        Run run = kit.run();
        if (run == null || !run.ended(kind, name, identity, how)) {
            kit.ledger().ended(identity);
        }
    }

    @Override
    public void reported(Object identity, CloseReport report) {
        Run run = kit.run();
        if (run != null) {
            run.reported(identity, report);
        }
    }

    @Override
    public boolean await(String what, BooleanSupplier ready, Deadline deadline) {
        Run run = kit.run();
        return run != null && run.await(what, ready, deadline);
    }

    @Override
    public void starting(Object task) {
        Run run = kit.run();
        if (run != null) {
            run.starting(task);
        }
    }

    @Override
    public void began(Object task) {
        Run run = kit.run();
        if (run != null) {
            run.began(task);
        }
    }

    @Override
    public void ending(Object task) {
        Run run = kit.run();
        if (run != null) {
            run.ending(task);
        }
    }
}
