package dev.tenure.publish;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;

/// Loses the connection at a commit, before or after the database has seen it.
final class CuttingDataSource extends FakeDataSource {
    /// When the next commit loses its connection.
    enum Cut {
        NEVER,
        BEFORE_THE_DATABASE_SAW_IT,
        AFTER_THE_DATABASE_SAW_IT
    }

    private final AtomicReference<Cut> next = new AtomicReference<>(Cut.NEVER);

    private final String url;

    CuttingDataSource(Path file) {
        this.url = "jdbc:sqlite:" + file;
    }

    void cutNextCommit(Cut cut) {
        next.set(cut);
    }

    @Override
    public Connection getConnection() throws SQLException {
        var real = DriverManager.getConnection(url);
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (_, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        commit(real);
                        return null;
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private void commit(Connection real) throws SQLException {
        var cut = next.getAndSet(Cut.NEVER);
        if (cut != Cut.BEFORE_THE_DATABASE_SAW_IT) {
            real.commit();
        }
        if (cut != Cut.NEVER) {
            real.close();
            throw new SQLException("the connection was lost during COMMIT", "08006");
        }
    }
}
