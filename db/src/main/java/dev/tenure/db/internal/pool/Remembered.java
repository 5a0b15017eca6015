package dev.tenure.db.internal.pool;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Logger;
import javax.sql.DataSource;

/// A data source that remembers what it gave away and closes what was not brought back: migration tools leave
/// connections open when they fail.
///
/// **Owner:** the opening of a database. **Ends:** [#close()]. **Threads:** any.
public final class Remembered implements DataSource, AutoCloseable {
    private final DataSource source;
    private final List<Connection> given = new CopyOnWriteArrayList<>();

    /// Remembers the connections of a source.
    ///
    /// @param source gives them
    public Remembered(DataSource source) {
        this.source = source;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = source.getConnection();
        given.add(connection);
        return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Connection connection = source.getConnection(user, password);
        given.add(connection);
        return connection;
    }

    /// Closes what is still open, which rolls it back.
    @Override
    public void close() throws SQLException {
        for (Connection connection : given) {
            if (!connection.isClosed()) {
                connection.close();
            }
        }
        given.clear();
    }

    @Override
    public ConnectionBuilder createConnectionBuilder() throws SQLException {
        throw new SQLFeatureNotSupportedException("a migration asks for its connections by getConnection");
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return source.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        source.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        source.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return source.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        return source.getParentLogger();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return source.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return source.isWrapperFor(type);
    }
}
