package dev.tenure.core;

import dev.tenure.core.spi.ProbeListener;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Names the points between which ownership changes, for fault injection and evidence.
///
/// Free when no test kit is present: the listener is found once, when this class is initialised, and the branch is
/// removed by the compiler. Fire it around your own effects too.
///
/// **Threads:** any. **Fails:** with whatever a test kit injects at the point.
public final class Probe {
    private static final @Nullable ProbeListener LISTENER = ServiceLoader.load(
                    ProbeListener.class, Probe.class.getClassLoader())
            .findFirst()
            .orElse(null);

    private Probe() {}

    /// Fires a point.
    ///
    /// @param name a stable name, by convention `kind/resource:before` or `:after`
    public static void point(String name) {
        if (LISTENER != null) {
            LISTENER.at(name);
        }
    }

    /// Fires `kind/resource:before`.
    ///
    /// @param kind the transition, such as `stage`
    /// @param resource the kind of resource, such as `blob`
    public static void before(String kind, String resource) {
        if (LISTENER != null) {
            LISTENER.at(kind + '/' + resource + ":before");
        }
    }

    /// Fires `kind/resource:after`.
    ///
    /// @param kind the transition
    /// @param resource the kind of resource
    public static void after(String kind, String resource) {
        if (LISTENER != null) {
            LISTENER.at(kind + '/' + resource + ":after");
        }
    }

    /// Runs an effect between its two points. The second fires only on a normal return.
    ///
    /// @param <R> the result
    /// @param <X> what the effect may throw
    /// @param kind the transition
    /// @param resource the kind of resource
    /// @param effect the effect
    /// @return the effect's result
    /// @throws X as the effect does
    public static <R, X extends Exception> R around(String kind, String resource, Body<R, X> effect) throws X {
        before(kind, resource);
        R result = effect.run();
        after(kind, resource);
        return result;
    }

    /// Fires `kind/resource:step`, a point inside a transition.
    static void point(String kind, String resource, String step) {
        if (LISTENER != null) {
            LISTENER.at(kind + '/' + resource + ':' + step);
        }
    }

    static void opened(String kind, String name, Object identity) {
        if (LISTENER != null) {
            LISTENER.opened(kind, name, identity);
        }
    }

    static void ended(String kind, String name, Object identity) {
        if (LISTENER != null) {
            LISTENER.ended(kind, name, identity);
        }
    }
}
