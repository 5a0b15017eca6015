package dev.tenure.testkit;

import dev.tenure.testkit.internal.engine.Run;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The one meeting point between the core, which finds its listener once, and the tests of this JVM.
/// State of a whole JVM, as the core's listener is.
final class KitProbes {
    static final KitProbes KIT = new KitProbes();

    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private final Ledger ledger = new Ledger();
    private final ReentrantLock sweeping = new ReentrantLock();
    private volatile @Nullable Run run;

    private KitProbes() {}

    List<Consumer<String>> listeners() {
        return listeners;
    }

    Ledger ledger() {
        return ledger;
    }

    /// Held by the sweep that runs: there is one at a time in a JVM.
    ReentrantLock sweeping() {
        return sweeping;
    }

    @Nullable
    Run run() {
        return run;
    }

    void run(@Nullable Run next) {
        run = next;
    }
}
