package dev.tenure.core;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/// A stripe, into which one thread registers while another seals.
///
/// Results: whether it was admitted, how often the value was released, how many values the supervisor owns.
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "admitted and owned")
@Outcome(id = "0, 1, 0", expect = Expect.ACCEPTABLE, desc = "refused and released")
@Outcome(expect = Expect.FORBIDDEN, desc = "admitted and lost, or refused and kept")
@State
public class StripeStress {
    private static final ResourceType<AtomicInteger> TYPE = ResourceType.of("count", AtomicInteger::incrementAndGet);

    private final Supervisor supervisor = Supervisor.open("s");
    private final AtomicInteger releases = new AtomicInteger();

    /// Registers.
    ///
    /// @param result whether it was admitted
    @Actor
    public void own(III_Result result) {
        try {
            supervisor.own(TYPE, releases);
            result.r1 = 1;
        } catch (AdmissionClosed _) {
            result.r1 = 0;
        }
    }

    /// Seals.
    @Actor
    public void seal() {
        supervisor.seal();
    }

    /// Counts.
    ///
    /// @param result what is left
    @Arbiter
    public void count(III_Result result) {
        result.r2 = releases.get();
        result.r3 = supervisor.live();
    }
}
