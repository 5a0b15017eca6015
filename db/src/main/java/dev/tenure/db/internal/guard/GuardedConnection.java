package dev.tenure.db.internal.guard;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;

/// The connection's guard: it refuses what the lender alone may do, and guards what is opened through it.
final class GuardedConnection extends Guard {
    private static final String ENDS = "inTransaction begins and ends transactions: return to commit, or throw";
    private static final String SETTINGS = "the pool's connections are all set alike: set it for the data source";

    /// What the lender alone may do, and what to do instead.
    private static final Map<String, String> REFUSED = Map.ofEntries(
            Map.entry("close", "the lease ends when its callback returns"),
            Map.entry("abort", "the lease ends when its callback returns; cancel its scope to stop it"),
            Map.entry("commit", ENDS),
            Map.entry("rollback", ENDS),
            Map.entry("setAutoCommit", ENDS),
            Map.entry("setSavepoint", "there are no savepoints: use a transaction of its own"),
            Map.entry("releaseSavepoint", "there are no savepoints: use a transaction of its own"),
            Map.entry("setTransactionIsolation", SETTINGS),
            Map.entry("setReadOnly", SETTINGS),
            Map.entry("setHoldability", SETTINGS),
            Map.entry("setNetworkTimeout", SETTINGS),
            Map.entry("setCatalog", SETTINGS),
            Map.entry("setSchema", SETTINGS),
            Map.entry("setTypeMap", SETTINGS),
            Map.entry("setClientInfo", SETTINGS),
            Map.entry("setShardingKey", SETTINGS),
            Map.entry("setShardingKeyIfValid", SETTINGS),
            Map.entry("beginRequest", SETTINGS),
            Map.entry("endRequest", SETTINGS));

    private GuardedConnection(Borrowed borrowed, Connection raw) {
        super(borrowed, raw, Connection.class);
    }

    static Connection of(Borrowed borrowed, Connection raw) {
        return facing(Connection.class, new GuardedConnection(borrowed, raw));
    }

    @Override
    Optional<Object> on(Invocation call) throws SQLException {
        String label = label(call);
        borrowed.calls().checkOwner(label);
        String instead = REFUSED.get(call.name());
        if (instead != null) {
            throw borrowed.refused(label, instead);
        }
        if (call.name().equals("getAutoCommit")) {
            return Optional.of(!borrowed.isInside());
        }
        if (call.name().startsWith("prepare") && call.isFirst(String.class)) {
            borrowed.read(label, call.text());
        }
        return borrowed.call(label, null, () -> directly(call)).map(opened -> guard(call.proxy(), opened));
    }

    private Object guard(Object proxy, Object opened) {
        return switch (opened) {
            case Statement statement -> GuardedStatement.of(borrowed, statement, (Connection) proxy);
            case DatabaseMetaData about -> GuardedMetaData.of(borrowed, about, (Connection) proxy);
            default -> opened;
        };
    }
}
