package dev.tenure.db;

/// A borrower called what only the lender may: close, commit, rollback, a setting. Nothing was done;
/// the lease lives.
///
/// **Threads:** the borrower's. **Held:** the lease, as before. **Source:** design 7: `inTransaction`
/// alone ends it.
public final class LeaseRefusal extends DatabaseException {
    private static final long serialVersionUID = 1L;

    LeaseRefusal(String message) {
        super(message, null);
    }
}
