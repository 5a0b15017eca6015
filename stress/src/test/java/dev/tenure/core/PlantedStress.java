package dev.tenure.core;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Planted: a claim that looks and then writes. Both may win.
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "released once")
@Outcome(expect = Expect.FORBIDDEN, desc = "released twice")
@State
public class PlantedStress {
    private int held = 1;
    private int first;
    private int second;

    /// One claims.
    @Actor
    public void one() {
        if (held == 1) {
            held = 0;
            first = 1;
        }
    }

    /// Another claims.
    @Actor
    public void two() {
        if (held == 1) {
            held = 0;
            second = 1;
        }
    }

    /// Counts.
    ///
    /// @param result how many won
    @Arbiter
    public void count(I_Result result) {
        result.r1 = first + second;
    }
}
