package dev.tenure.it;

/// How often a test repeats: a smoke count, or the full one with `-Dtenure.soak=true`.
public final class Counts {
    private Counts() {}

    /// The count of this run.
    ///
    /// @param smoke what a usual build runs
    /// @param soak what a soak runs
    /// @return one of the two
    public static int of(int smoke, int soak) {
        return Boolean.getBoolean("tenure.soak") ? soak : smoke;
    }
}
