package dev.tenure.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/// The one meeting point between the core, which finds its listener once, and the tests of this JVM. State of a
/// whole JVM, as the core's listener is.
final class KitProbes {
    static final KitProbes KIT = new KitProbes();

    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final Ledger ledger = new Ledger();

    private KitProbes() {}

    List<Consumer<String>> listeners() {
        return listeners;
    }

    Ledger ledger() {
        return ledger;
    }
}
