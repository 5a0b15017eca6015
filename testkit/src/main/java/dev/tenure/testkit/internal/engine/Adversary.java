package dev.tenure.testkit.internal.engine;

/// What a sweep does at the points of a run.
public interface Adversary {
    /// Looks at a point; called where the run is traced.
    ///
    /// @param run the run
    /// @param point the point
    void seen(Run run, long point);

    /// Injects what is planned for this point; may throw anything.
    ///
    /// @param run the run
    /// @param point the point
    /// @param second whether it is the second target
    void strike(Run run, long point, boolean second);
}
