package dev.tenure.db;

/// A connection, statement or result set was used after the callback it was lent to had returned.
///
/// **Threads:** any. **Held:** nothing: the lease had ended. **Source:** design 7, ADR-0020.
public final class LeaseEscaped extends DatabaseException {
    private static final long serialVersionUID = 1L;

    LeaseEscaped(String message) {
        super(message, null);
    }
}
