package dev.tenure.db;

/// The storage cannot do it now, whatever the statement: full, read-only, not there, locked by another
/// process. Nothing of the statement was done. A server answers 507 to [Kind#FULL] and 503 to the
/// others.
///
/// **Threads:** the caller's. **Held:** nothing if it came instead of a lease; inside one, the lease
/// until its callback returns. **Source:** ADR-0022.
public final class StorageUnavailable extends DatabaseException {
    private static final long serialVersionUID = 1L;

    /// In which way the storage is unusable.
    public enum Kind {
        /// The disk or its quota is full.
        FULL,
        /// The file, its folder or its mount takes no writes.
        READ_ONLY,
        /// The file or its folder cannot be opened.
        CANNOT_OPEN,
        /// Reading or writing failed.
        IO,
        /// Another process kept the write lock for longer than the lock timeout.
        LOCKED,
        /// The link to the database is gone.
        LINK
    }

    private final Kind kind;

    StorageUnavailable(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /// In which way.
    ///
    /// @return the kind
    public Kind kind() {
        return kind;
    }
}
