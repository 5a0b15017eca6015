package dev.tenure.core;

import java.util.ArrayList;
import java.util.List;

/// How a cancel runs down from a scope: its hooks and tasks, those of the scopes nested in it, then its
/// thread is rung.
///
/// The owner publishes a nested scope, task or hook and then reads the reason; the canceller sets the
/// reason and then reads
/// them. One of the two sees the other, so nothing is missed.
final class ScopeCancelling {
    private ScopeCancelling() {}

    static void propagate(Scope scope, Reason why) {
        for (Scope at : nestedIn(scope)) {
            signal(at, why);
        }
        signal(scope, why);
        Probe.step("cancel", scope.name(), "signalled");
        scope.strand().ring(scope);
    }

    /// The open scopes inside this one, innermost first; none if it has left its thread's chain.
    private static List<Scope> nestedIn(Scope scope) {
        var nested = new ArrayList<Scope>(2);
        for (Scope at = scope.strand().innermost(); at != scope; at = at.parent()) {
            if (at == null) {
                return List.of();
            }
            nested.add(at);
        }
        return nested;
    }

    private static void signal(Scope scope, Reason why) {
        Extras cold = scope.extrasOrNull();
        if (cold == null) {
            return;
        }
        for (Owned<?> node : cold.hooks()) {
            runIsolated(scope, node);
        }
        var inherited = new Reason(Reason.Kind.PARENT, scope.name() + ", " + why, why.failure());
        for (Task<?> task : cold.tasks()) {
            task.cancel(inherited);
        }
    }

    /// A hook that throws must not keep the others, or the interrupt, from their turn.
    static void runIsolated(Scope scope, Owned<?> node) {
        try {
            node.runHook();
        } catch (RuntimeException | Error failure) {
            scope.options().observer().failed(scope.name() + ", hook of " + node.type(), failure);
        }
    }
}
