package dev.tenure.host;

import java.util.EnumSet;
import java.util.Set;

/// A callback for the beginning of the stop.
///
/// @param callback runs once
record StoppingPart(Cleanup callback) implements Component {
    static final String NAME = "stopping callback";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Phase> phases() {
        return EnumSet.of(Phase.READINESS_DOWN);
    }

    @Override
    public void enter(Phase phase, Stop stop) throws Exception {
        callback.run();
    }
}
