package dev.tenure.db.internal.guard;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/// The guard of what a database tells of itself, since its result sets and its connection lead back to the driver.
final class GuardedMetaData extends Guard {
    private final Connection connection;

    private GuardedMetaData(Borrowed borrowed, DatabaseMetaData raw, Connection connection) {
        super(borrowed, raw, DatabaseMetaData.class);
        this.connection = connection;
    }

    static DatabaseMetaData of(Borrowed borrowed, DatabaseMetaData raw, Connection connection) {
        return facing(DatabaseMetaData.class, new GuardedMetaData(borrowed, raw, connection));
    }

    @Override
    Optional<Object> on(Invocation call) throws SQLException {
        if (call.name().equals("getConnection")) {
            borrowed.calls().checkOwner(label(call));
            return Optional.of(connection);
        }
        int age = borrowed.calls().age();
        Optional<Object> answer = borrowed.call(label(call), null, () -> directly(call));
        if (answer.isPresent() && answer.get() instanceof ResultSet rows) {
            Statement source = rows.getStatement();
            borrowed.calls().opened(rows);
            return Optional.of(
                    GuardedResult.of(borrowed, rows, new GuardedResult.Origin(source, Optional.empty(), age)));
        }
        return answer;
    }
}
