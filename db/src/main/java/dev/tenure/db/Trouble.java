package dev.tenure.db;

import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.db.internal.dialect.Faults;
import dev.tenure.host.ConfigurationError;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;

/// Words for storage that is unusable.
final class Trouble {
    private static final String CORRUPT =
            "the file is damaged or no database: restore it from a backup, or move it and its -wal and -shm away";

    private Trouble() {}

    /// At an opening: what only whoever chose the file can change is a matter of configuration.
    static RuntimeException atOpening(String place, Path file, SQLException failure, Duration lockTimeout) {
        Fault fault = Faults.of(failure);
        return switch (fault) {
            case CANNOT_OPEN, READ_ONLY, CORRUPT ->
                new ConfigurationError(
                        "database.file: %s (expected: %s): %s"
                                .formatted(file, advice(fault, lockTimeout), failure.getMessage()),
                        failure);
            default -> of("%s at %s".formatted(place, file), fault, failure, lockTimeout);
        };
    }

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
            case IO, CORRUPT, INTERRUPTED, REFUSED -> StorageUnavailable.Kind.IO;
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
            case CORRUPT -> CORRUPT;
            case IO, INTERRUPTED, REFUSED -> "reading or writing failed: check the volume";
        };
    }
}
