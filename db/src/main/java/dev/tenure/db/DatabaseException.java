package dev.tenure.db;

import org.jspecify.annotations.Nullable;

/// What a [Database] refuses or reports by itself. What a statement's SQL did wrong stays a `java.sql.SQLException`.
///
/// **Threads:** as all exceptions. **Source:** the table of the module's README.
public abstract sealed class DatabaseException extends RuntimeException
        permits Busy,
                CloseFromLease,
                CommitUnknown,
                DatabaseClosed,
                LeaseEscaped,
                LeaseRefusal,
                LeaseTimeout,
                NestedLease,
                RollbackFailed,
                StatementCancelled,
                StorageUnavailable,
                WrongThreadLease {
    private static final long serialVersionUID = 1L;

    DatabaseException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
