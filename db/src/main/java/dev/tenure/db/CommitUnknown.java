package dev.tenure.db;

/// Nobody but the database knows whether the transaction was committed. Ask it by the evidence's key;
/// never repeat.
///
/// **Threads:** the caller's. **Held:** nothing: the connection was closed. **Source:** design 7, L25.
public final class CommitUnknown extends DatabaseException {
    private static final long serialVersionUID = 1L;

    private final transient CommitOutcome.Evidence evidence;

    CommitUnknown(CommitOutcome.Evidence evidence) {
        super(
                ("database '%s': transaction %s: no answer to COMMIT after %d ms: %s;"
                                + " look for '%s' before doing it again")
                        .formatted(
                                evidence.database(),
                                evidence.transaction(),
                                evidence.waited().toMillis(),
                                evidence.failure(),
                                evidence.key()),
                evidence.failure());
        this.evidence = evidence;
    }

    /// What is known.
    ///
    /// @return the evidence
    public CommitOutcome.Evidence evidence() {
        return evidence;
    }
}
