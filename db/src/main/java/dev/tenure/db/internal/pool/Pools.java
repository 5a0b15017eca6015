package dev.tenure.db.internal.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;

/// HikariCP as Tenure uses it: every connection is opened at once, kept, and waited for by our own queue, never by
/// it.
public final class Pools {
    /// How long a replacement for an evicted connection may take; HikariCP's own wait.
    private static final Duration REOPEN = Duration.ofSeconds(10);

    /// A lease knows better than an error code whether its connection is in doubt, and evicts it.
    private static final SQLExceptionOverride KEEP = new SQLExceptionOverride() {
        @java.lang.Override
        public Override adjudicate(SQLException failure) {
            return Override.DO_NOT_EVICT;
        }
    };

    private Pools() {}

    /// Opens a pool of one connection that may write.
    ///
    /// @param name for the names of its threads
    /// @param source opens connections
    /// @return the pool, to be closed
    /// @throws SQLException what opening the first connection met
    public static HikariDataSource writing(String name, DataSource source) throws SQLException {
        return open(config(name, source, 1));
    }

    /// Opens a pool of connections that were opened read-only.
    ///
    /// @param name for the names of its threads
    /// @param source opens connections
    /// @param size how many
    /// @return the pool, to be closed
    /// @throws SQLException what opening the first connection met
    public static HikariDataSource reading(String name, DataSource source, int size) throws SQLException {
        HikariConfig config = config(name, source, size);
        config.setReadOnly(true);
        return open(config);
    }

    private static HikariConfig config(String name, DataSource source, int size) {
        var config = new HikariConfig();
        config.setPoolName("tenure-db-" + name);
        config.setDataSource(source);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(REOPEN.toMillis());
        config.setInitializationFailTimeout(1);
        config.setIdleTimeout(0);
        config.setMaxLifetime(0);
        config.setExceptionOverride(KEEP);
        return config;
    }

    private static HikariDataSource open(HikariConfig config) throws SQLException {
        try {
            return new HikariDataSource(config);
        } catch (RuntimeException e) {
            throw rootOf(e).orElseThrow(() -> e);
        }
    }

    /// The SQL failure behind another.
    ///
    /// @param failure what a pool or a migration threw
    /// @return empty if there is none near
    public static Optional<SQLException> rootOf(Throwable failure) {
        Throwable link = failure;
        for (int depth = 0; link != null && depth < 8; depth++) {
            if (link instanceof SQLException sql) {
                return Optional.of(sql);
            }
            link = link.getCause();
        }
        return Optional.empty();
    }
}
