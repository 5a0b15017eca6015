package dev.tenure.testkit;

/// A law that something of the user's own saw broken: a fake, or a check after the run.
///
/// **Threads:** immutable.
///
/// @param oracle who saw it, 1 to 13 as in the README; 7 for what is half-published, 12 for counts of one's own
/// @param law the law, 1 to 10
/// @param resource what it is about, as in the owner table
/// @param what what happened, as a sentence
/// @param advice what to do about it
public record Violation(int oracle, int law, String resource, String what, String advice) {
    /// Refuses numbers that no oracle or law has.
    ///
    /// @throws IllegalArgumentException with the number
    public Violation {
        if (oracle < 1 || oracle > 13) {
            throw new IllegalArgumentException("oracle: %d (expected: 1 to 13)".formatted(oracle));
        }
        if (law < 1 || law > 10) {
            throw new IllegalArgumentException("law: %d (expected: 1 to 10)".formatted(law));
        }
    }
}
