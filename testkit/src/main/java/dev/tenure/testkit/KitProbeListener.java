package dev.tenure.testkit;

import dev.tenure.core.spi.ProbeListener;

/// Forwards what the core tells to the listeners of [Probes] and to the [Ledger].
///
/// **Owner:** the core, which finds it through `ServiceLoader`. **Threads:** any. Not for use in tests.
@SuppressWarnings("exports") // found by the core alone
public final class KitProbeListener implements ProbeListener {
    /// For `ServiceLoader`.
    public KitProbeListener() {}

    @Override
    public void at(String point) {
        for (var listener : KitProbes.KIT.listeners()) {
            listener.accept(point);
        }
    }

    @Override
    public void opened(String kind, String name, Object identity) {
        KitProbes.KIT.ledger().opened(kind, name, identity);
    }

    @Override
    public void ended(String kind, String name, Object identity) {
        KitProbes.KIT.ledger().ended(identity);
    }
}
