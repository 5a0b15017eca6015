package dev.tenure.core;

import dev.tenure.core.spi.ProbeListener;
import java.util.ServiceLoader;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Names the points between which ownership changes, for fault injection and evidence.
///
/// Free when no test kit is present: the listener is found once, when this class is initialised, and
/// the branch is removed by the compiler. Fire it around your own effects too.
///
/// **Threads:** any. **Fails:** with whatever a test kit injects at the point.
public final class Probe {
    private static final @Nullable ProbeListener LISTENER = ServiceLoader.load(
                    ProbeListener.class, Probe.class.getClassLoader())
            .findFirst()
            .orElse(null);

    /// Whether anybody listens; guards what would cost something to say.
    static final boolean ON = LISTENER != null;

    private Probe() {}

    /// Fires a point.
    ///
    /// @param name a stable name, by convention `kind/resource:before` or `:after`
    public static void point(String name) {
        if (LISTENER != null) {
            LISTENER.at(name, "", "");
        }
    }

    /// Fires `kind/resource:before`.
    ///
    /// @param kind the transition, such as `stage`
    /// @param resource the kind of resource, such as `blob`
    public static void before(String kind, String resource) {
        if (LISTENER != null) {
            LISTENER.at(kind, resource, "before");
        }
    }

    /// Fires `kind/resource:after`.
    ///
    /// @param kind the transition
    /// @param resource the kind of resource
    public static void after(String kind, String resource) {
        if (LISTENER != null) {
            LISTENER.at(kind, resource, "after");
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

    /// Fires `kind/resource:side`, a point inside a transition that may fail there.
    static void point(String kind, String resource, String side) {
        if (LISTENER != null) {
            LISTENER.at(kind, resource, side);
        }
    }

    /// Fires a point where the books are open, so that nothing may be thrown.
    ///
    /// @return what the listener threw, if it did
    static @Nullable Throwable step(String kind, String resource, String side) {
        if (LISTENER != null) {
            try {
                LISTENER.at(kind, resource, side);
            } catch (Throwable injected) {
                return injected;
            }
        }
        return null;
    }

    static void opened(String kind, String name, Object identity, @Nullable Object owner) {
        if (LISTENER != null) {
            LISTENER.opened(kind, name, identity, owner);
        }
    }

    static void moved(Object from, Object to, Object owner, String event) {
        if (LISTENER != null) {
            LISTENER.moved(from, to, owner, event);
        }
    }

    static void ended(String kind, String name, Object identity, String how) {
        if (LISTENER != null) {
            LISTENER.ended(kind, name, identity, how);
        }
    }

    static void reported(Object identity, CloseReport report) {
        if (LISTENER != null) {
            LISTENER.reported(identity, report);
        }
    }

    /// Offers a wait to a test kit, which sees nothing of locks and latches. Call it in the loop of your
    /// own wait, before you park:
    /// `while (!ready.getAsBoolean()) { if (!Probe.await("jobs", ready, deadline)) { park(); } }`.
    /// Without a kit it does nothing.
    ///
    /// @param what what is waited for, for reports
    /// @param ready whether the wait is over, by its condition or by what ends it early; may be asked from
    /// any thread, at any time, and must neither wait nor change anything
    /// @param deadline the end of the wait
    /// @return true if the kit waited, so that the caller looks again; false to wait as usual
    public static boolean await(String what, BooleanSupplier ready, Deadline deadline) {
        return LISTENER != null && LISTENER.await(what, ready, deadline);
    }

    static void starting(Object task) {
        if (LISTENER != null) {
            LISTENER.starting(task);
        }
    }

    static void began(Object task) {
        if (LISTENER != null) {
            LISTENER.began(task);
        }
    }

    static void ending(Object task) {
        if (LISTENER != null) {
            LISTENER.ending(task);
        }
    }
}
