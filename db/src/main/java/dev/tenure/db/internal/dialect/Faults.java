package dev.tenure.db.internal.dialect;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteException;

/// Reads the meaning of a driver's error from its code.
public final class Faults {
    /// The low byte of an SQLite result code is its kind; the rest refines it.
    private static final int PRIMARY = 0xFF;

    private Faults() {}

    /// The meaning of an error; the first link of the chain that has one decides.
    ///
    /// @param error what the driver threw
    /// @return its meaning
    public static Fault of(SQLException error) {
        Throwable link = error;
        for (int depth = 0; link != null && depth < 8; depth++) {
            Fault fault = link instanceof SQLException sql ? ofOne(sql) : Fault.OTHER;
            if (fault != Fault.OTHER) {
                return fault;
            }
            link = link.getCause();
        }
        return ofMessage(error);
    }

    private static Fault ofOne(SQLException error) {
        if (error instanceof SQLiteException sqlite) {
            return ofSqlite(sqlite.getResultCode().code & PRIMARY);
        }
        String state = error.getSQLState();
        return state == null ? Fault.OTHER : ofState(state);
    }

    private static Fault ofSqlite(int primary) {
        return switch (primary) {
            case 5, 6 -> Fault.LOCKED;
            case 8 -> Fault.READ_ONLY;
            case 9 -> Fault.INTERRUPTED;
            case 10 -> Fault.IO;
            case 11, 26 -> Fault.CORRUPT;
            case 13 -> Fault.FULL;
            case 14 -> Fault.CANNOT_OPEN;
            case 18, 19, 20 -> Fault.REFUSED;
            default -> Fault.OTHER;
        };
    }

    private static Fault ofState(String state) {
        return switch (state) {
            case "53100" -> Fault.FULL;
            case "25006" -> Fault.READ_ONLY;
            case "55P03" -> Fault.LOCKED;
            case "57014" -> Fault.INTERRUPTED;
            default -> ofStateClass(state);
        };
    }

    private static Fault ofStateClass(String state) {
        if (state.startsWith("08")) {
            return Fault.LINK;
        }
        if (state.startsWith("23") || state.startsWith("40")) {
            return Fault.REFUSED;
        }
        return state.startsWith("58") ? Fault.IO : Fault.OTHER;
    }

    /// The SQLite driver opens a file before it has a result code to give, and reports a batch by text alone.
    private static Fault ofMessage(SQLException error) {
        @Nullable String message = error.getMessage();
        if (message == null) {
            return Fault.OTHER;
        }
        if (message.contains("opening db:") || message.contains("path to '")) {
            return message.contains("Read-only file system") ? Fault.READ_ONLY : Fault.CANNOT_OPEN;
        }
        return message.contains("[SQLITE_FULL]") ? Fault.FULL : Fault.OTHER;
    }
}
