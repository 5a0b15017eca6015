package dev.tenure.host;

import java.util.EnumSet;
import java.util.Set;

/// One entry of the process's cleanup queue.
///
/// @param name for reports
/// @param cleanup runs once
/// @param uses what it uses: closed after it
record CleanupPart(String name, Cleanup cleanup, Set<Component> uses) implements Component {
    @Override
    public Set<Phase> phases() {
        return EnumSet.of(Phase.DISPOSE_DEPENDENCIES);
    }

    @Override
    public void enter(Phase phase, Stop stop) throws Exception {
        cleanup.run();
    }
}
