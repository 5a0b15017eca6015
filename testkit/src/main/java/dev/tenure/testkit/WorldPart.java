package dev.tenure.testkit;

/// Makes what the method of a [FaultSweep] asks for, beside its [World]: the way for other modules to
/// offer their own fakes. Found through `ServiceLoader`.
///
/// **Owner:** the sweep. **Threads:** one at a time.
public interface WorldPart {
    /// What it makes.
    ///
    /// @return the type of the parameter, exactly
    Class<?> type();

    /// Makes one for a run.
    ///
    /// @param world the fakes of the run; use [World#part] for what a later run of the same world must
    /// find again
    /// @return an instance of [#type()]
    Object make(World world);
}
