package dev.tenure.core.user;

import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;

/// A user of the core in a package of its own, so that its lines are not taken for the core's.
public final class Opener {
    private Opener() {}

    /// Registers a value here.
    ///
    /// @param scope the owner
    /// @param type the kind of resource
    /// @return its handle
    public static Owned<String> ownHere(Scope scope, ResourceType<String> type) {
        return scope.own(type, "x");
    }

    /// Opens a scope that nobody closes, with two values left in it.
    ///
    /// @param options with leak sampling
    /// @param type the kind of resource
    @SuppressWarnings("MustBeClosed") // that is the point
    public static void leakHere(Supervisor.Options options, ResourceType<String> type) {
        var scope = Scope.open("leaked", options);
        ownHere(scope, type);
        ownHere(scope, type);
        ownHere(scope, type).close();
    }
}
