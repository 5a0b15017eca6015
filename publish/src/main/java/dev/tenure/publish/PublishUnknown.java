package dev.tenure.publish;

import dev.tenure.db.CommitOutcome;

/// Nobody but the database knows whether a publication took place. The blob is left as it is; the
/// reclaimer keeps it if a row refers to it. Look for the key, or for your own row, before doing it
/// again; answer a client with 503.
///
/// **Threads:** any.
/// **Held:** nothing: the blob is the row's if there is one, else the reclaimer's. **Source:** design 7.
public final class PublishUnknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String key;
    private final transient CommitOutcome.Evidence evidence;

    PublishUnknown(String key, CommitOutcome.Evidence evidence) {
        super(
                "blob '%s': published or not: database '%s' gave no answer to COMMIT after %d ms: look for '%s' there"
                        .formatted(key, evidence.database(), evidence.waited().toMillis(), evidence.key()),
                evidence.failure());
        this.key = key;
        this.evidence = evidence;
    }

    /// The final key of the blob.
    ///
    /// @return the key
    public String key() {
        return key;
    }

    /// What is known about the commit.
    ///
    /// @return the evidence
    public CommitOutcome.Evidence evidence() {
        return evidence;
    }
}
