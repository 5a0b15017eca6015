package dev.tenure.it.core;

import dev.tenure.testkit.Sweep;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Pairs of faults that the core once did not survive; each is run again.
class FoundByPairsTest {
    private static final String HANGS = "own1:close%20with%20a%20budget:fifo:HANG@busy/release/socket/before#1+";

    /// The thread that goes on with an overdue close fails before it has begun.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "OOM@tenure-close%20of%20child/task/tenure-close%20of%20child/before#1",
                "OOM@fork/tenure-close%20of%20child/before#1",
                "OOM@fork/tenure-close%20of%20child/after#1",
                "THROW_ERROR@start/tenure-close%20of%20child/before#1"
            })
    void overdueClose_whoseCloserFails(String second) {
        Sweep.replay(HANGS + second, CoreScenarios::closeWithBudget).assertClean();
    }

    /// A fork fails, and then the join of what had been forked.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "own1:race:fifo:THROW_ERROR@fork/dial/before#2+THROW_ERROR@join/dial/before#1",
                "own1:race:fifo:OOM@fork/dial/after#2+THROW_RUNTIME@join/dial/after#1"
            })
    void race_whoseForkAndJoinFail(String token) {
        Sweep.replay(token, CoreScenarios::race).assertClean();
    }
}
