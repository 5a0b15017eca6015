package dev.tenure.db.internal.dialect;

/// What an error of the driver means for us.
public enum Fault {
    /// Another connection has the lock; nothing was done.
    LOCKED,
    /// The disk or the quota is full.
    FULL,
    /// The storage takes no writes.
    READ_ONLY,
    /// The file or its folder cannot be opened.
    CANNOT_OPEN,
    /// Reading or writing failed; what reached the disk is not known.
    IO,
    /// The file is damaged, or is no database.
    CORRUPT,
    /// The link to the database is gone.
    LINK,
    /// A cancel ended the statement.
    INTERRUPTED,
    /// The database refused the data, or asks to try again: nothing was committed.
    REFUSED,
    /// Anything else.
    OTHER;

    /// Whether storage as a whole is unusable now, whatever the statement.
    ///
    /// @return true for trouble that the application cannot have caused
    public boolean isStorage() {
        return switch (this) {
            case LOCKED, FULL, READ_ONLY, CANNOT_OPEN, IO, CORRUPT, LINK -> true;
            case INTERRUPTED, REFUSED, OTHER -> false;
        };
    }

    /// Whether the connection that met it should not be lent again.
    ///
    /// @return true if a new one may fare better
    public boolean isBroken() {
        return this == IO || this == LINK;
    }

    /// Whether a COMMIT that failed like this is known not to have committed.
    ///
    /// @return false if only the database itself can tell
    public boolean isDefinite() {
        return switch (this) {
            case LOCKED, FULL, READ_ONLY, CANNOT_OPEN, INTERRUPTED, REFUSED -> true;
            case IO, CORRUPT, LINK, OTHER -> false;
        };
    }
}
