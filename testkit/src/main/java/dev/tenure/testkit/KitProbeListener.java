package dev.tenure.testkit;

import dev.tenure.core.spi.ProbeListener;
import org.jspecify.annotations.Nullable;

/// Forwards what the core tells to the listeners of [Probes] and to the [Ledger].
///
/// **Owner:** the core, which finds it through `ServiceLoader`. **Threads:** any. Not for use in tests.
@SuppressWarnings("exports") // found by the core alone
public final class KitProbeListener implements ProbeListener {
    /// For `ServiceLoader`.
    public KitProbeListener() {}

    @Override
    public void at(String kind, String resource, String side) {
        var listeners = KitProbes.KIT.listeners();
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
        KitProbes.KIT.ledger().opened(kind, name, identity);
    }

    @Override
    public void moved(Object from, Object to, Object owner, String event) {
        KitProbes.KIT.ledger().moved(from, to);
    }

    @Override
    public void ended(String kind, String name, Object identity, String how) {
        KitProbes.KIT.ledger().ended(identity);
    }
}
