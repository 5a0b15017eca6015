package dev.tenure.db;

import dev.tenure.db.internal.dialect.Fault;
import java.sql.SQLException;
import java.time.Duration;

/// Words for storage that is unusable.
final class Trouble {
    private Trouble() {}

    static StorageUnavailable of(String place, Fault fault, SQLException error, Duration lockTimeout) {
        return new StorageUnavailable(
                kind(fault), "%s: %s (%s)".formatted(place, advice(fault, lockTimeout), error.getMessage()), error);
    }

    private static StorageUnavailable.Kind kind(Fault fault) {
        return switch (fault) {
            case FULL -> StorageUnavailable.Kind.FULL;
            case READ_ONLY -> StorageUnavailable.Kind.READ_ONLY;
            case CANNOT_OPEN, OTHER -> StorageUnavailable.Kind.CANNOT_OPEN;
            case LOCKED -> StorageUnavailable.Kind.LOCKED;
            case LINK -> StorageUnavailable.Kind.LINK;
            case IO, INTERRUPTED, REFUSED -> StorageUnavailable.Kind.IO;
        };
    }

    private static String advice(Fault fault, Duration lockTimeout) {
        return switch (fault) {
            case FULL -> "the disk is full: free space on the data folder's volume";
            case READ_ONLY -> "the data folder takes no writes: remount it writable or choose another";
            case CANNOT_OPEN, OTHER ->
                "the file or its folder cannot be opened: check that the folder exists and is writable";
            case LOCKED ->
                "another process kept the write lock for more than %d ms: end it, or raise lockTimeout"
                        .formatted(lockTimeout.toMillis());
            case LINK -> "the link to the database is gone: it is opened anew for the next lease";
            case IO, INTERRUPTED, REFUSED -> "reading or writing failed: check the volume";
        };
    }
}
