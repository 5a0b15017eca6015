package dev.tenure.testkit.internal.engine;

/// An oracle, and the law that it looks after.
enum Rule {
    /// What is owned is released.
    RELEASED(1, 2),
    /// It ends once, by its owner.
    ENDED_ONCE(2, 2),
    /// It has one owner at any time.
    OWNED(3, 1),
    /// Newest first, after the tasks.
    IN_ORDER(5, 5),
    /// Published, discarded, or rightly unknown.
    PUBLISHED(7, 8),
    /// Owners close.
    CLOSED(8, 2),
    /// Reports say what happened.
    REPORTED(10, 10),
    /// Waits end within their budget.
    IN_TIME(11, 7),
    /// What is open was owned.
    EVER_OWNED(12, 1),
    /// What was owned is not open any more.
    ENDED(12, 2),
    /// What a task produced is taken.
    TAKEN(12, 6);

    final int oracle;
    final int law;

    Rule(int oracle, int law) {
        this.oracle = oracle;
        this.law = law;
    }
}
