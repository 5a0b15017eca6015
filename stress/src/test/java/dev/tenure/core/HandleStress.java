package dev.tenure.core;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A handle, which one thread moves and another closes: one of them wins, and the value ends once.
///
/// Results: whether the move won, whether the value had ended when the close returned, how often it was released after
/// the taker's close.
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "moved, then released by its taker")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "closed first, the move is stale")
@Outcome(expect = Expect.FORBIDDEN, desc = "two owners, or none")
@State
public class HandleStress {
    private static final ResourceType<AtomicInteger> TYPE = ResourceType.of("count", AtomicInteger::incrementAndGet);

    private final Supervisor from = Supervisor.open("from");
    private final Supervisor to = Supervisor.open("to");
    private final AtomicInteger releases = new AtomicInteger();
    private final Owned<AtomicInteger> handle = from.own(TYPE, releases);
    private Owned<AtomicInteger> taken;

    /// Moves.
    ///
    /// @param result whether it won
    @Actor
    public void move(III_Result result) {
        try {
            taken = handle.moveTo(to);
            result.r1 = 1;
        } catch (StaleHandle _) {
            result.r1 = 0;
        }
    }

    /// Closes.
    ///
    /// @param result whether the value had ended then
    @Actor
    public void close(III_Result result) {
        handle.close();
        result.r2 = handle.state() == Owned.State.RELEASED && releases.get() == 1 ? 1 : 0;
    }

    /// Counts.
    ///
    /// @param result how often it was released
    @Arbiter
    public void end(III_Result result) {
        if (taken != null) {
            taken.close();
        }
        result.r3 = releases.get() + 10 * from.live() + 10 * to.live();
    }
}
