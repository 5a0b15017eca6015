package dev.tenure.testkit;

import java.util.function.Consumer;

/// Listens to the named points of the core and of every module that fires them.
///
/// A listener that throws makes the point throw: that is how a fault is injected at an ownership point.
///
/// **Owner:** the test that installs a listener. **Ends:** when the returned handle is closed.
/// **Threads:** any; the listener runs inline on the thread that reached the point. **Limits:** several
/// listeners may be installed; each sees every point, in the order of their installation.
public final class Probes {
    private Probes() {}

    /// Installs a listener.
    ///
    /// @param listener gets `kind/resource:before` and `kind/resource:after`
    /// @return closes the installation; closing twice is harmless
    public static Installed install(Consumer<String> listener) {
        var listeners = KitProbes.KIT.listeners();
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /// An installed listener.
    ///
    /// **Owner:** whoever installed it. **Ends:** when closed.
    @FunctionalInterface
    public interface Installed extends AutoCloseable {
        /// Removes the listener.
        @Override
        void close();
    }
}
