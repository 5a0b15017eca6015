package dev.tenure.sim;

import dev.tenure.core.Probe;
import java.util.Optional;
import java.util.function.Function;

/// Fires the points of the fakes, where only what the real thing may throw comes out.
final class Points {
    private Points() {}

    /// Fires the point before an effect.
    ///
    /// @param translation what a checked fault becomes, as the real thing would say it
    static <X extends Exception> void before(String kind, String resource, Function<Exception, X> translation)
            throws X {
        let(() -> Probe.before(kind, resource), translation);
    }

    /// Fires the point after an effect.
    static <X extends Exception> void after(String kind, String resource, Function<Exception, X> translation) throws X {
        let(() -> Probe.after(kind, resource), translation);
    }

    private static <X extends Exception> void let(Runnable point, Function<Exception, X> translation) throws X {
        Optional<Exception> checked = Optional.empty();
        try {
            point.run();
        } catch (RuntimeException unchecked) {
            throw unchecked;
        } catch (Exception fault) {
            checked = Optional.of(fault);
        }
        if (checked.isPresent()) {
            throw translation.apply(checked.get());
        }
    }
}
