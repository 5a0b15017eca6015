package dev.tenure.sim;

import dev.tenure.testkit.Violation;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// One loan of the store's connection, as a driver would give it.
///
/// **Owner:** who asked for it. **Ends:** `close`, once. **States:** in autocommit, or inside a transaction, in which
/// it must not be return unless it was aborted. **Threads:** one; statements are cancelled by any.
final class SqlLoan implements InvocationHandler {
    private static final String NAME = "sql connection";
    private static final String TRANSACTION = "sql transaction";

    private final SqlStore store;
    private @Nullable Object transaction;
    private boolean aborted;
    private boolean over;

    private SqlLoan(SqlStore store) {
        this.store = store;
    }

    static Connection of(SqlStore store) throws SQLException {
        Points.before("lease", NAME, SqlStore::broken);
        var loan = new SqlLoan(store);
        store.world().opened(NAME, loan);
        try {
            Points.after("lease", NAME, SqlStore::broken);
        } catch (Throwable fault) {
            store.world().lost(loan, "undone");
            throw fault;
        }
        return face(Connection.class, loan);
    }

    static <T> T face(Class<T> type, InvocationHandler behind) {
        return type.cast(Proxy.newProxyInstance(SqlLoan.class.getClassLoader(), new Class<?>[] {type}, behind));
    }

    static @Nullable Object call(Object on, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(on, args);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        switch (method.getName()) {
            case "close" -> end();
            case "abort" -> aborted = true;
            case "commit" -> commit();
            case "rollback" -> rollback();
            case "setAutoCommit" -> autoCommit(args != null && Boolean.TRUE.equals(args[0]));
            default -> {
                return answer(proxy, method, args);
            }
        }
        return null;
    }

    @SuppressWarnings("ReferenceEquality") // a proxy equals itself alone
    private @Nullable Object answer(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> args != null && proxy == args[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> NAME;
            case "isClosed" -> over;
            case "getAutoCommit" -> transaction == null;
            case "unwrap" -> proxy;
            default -> asked(method, args);
        };
    }

    private @Nullable Object asked(Method method, @Nullable Object @Nullable [] args) throws Throwable {
        checkLive(method.getName());
        Object answer = call(store.physical(), method, args);
        return answer instanceof Statement statement ? SqlStatement.of(store.world(), statement, method) : answer;
    }

    private void checkLive(String call) throws SQLException {
        if (over) {
            store.world().usedAfterItsEnd(NAME, "a sql connection was used after it was return, by " + call);
            throw new SQLException("the connection was return");
        }
    }

    // ---- transactions ----

    private void autoCommit(boolean on) throws SQLException {
        if (!on && transaction == null) {
            begin();
        } else if (on && transaction != null) {
            commit();
        } else {
            checkLive("setAutoCommit");
        }
    }

    private void begin() throws SQLException {
        Points.before("begin", TRANSACTION, SqlStore::broken);
        checkLive("begin");
        store.run("begin immediate");
        var begun = new Begun();
        store.world().opened(TRANSACTION, begun);
        transaction = begun;
        try {
            Points.after("begin", TRANSACTION, SqlStore::broken);
        } catch (Throwable fault) {
            store.run("rollback");
            ended("undone");
            throw fault;
        }
    }

    private void commit() throws SQLException {
        Points.before("commit", TRANSACTION, SqlStore::broken);
        checkLive("commit");
        store.run("commit");
        ended("commit");
        Points.after("commit", TRANSACTION, SqlStore::broken);
    }

    private void rollback() throws SQLException {
        Points.before("rollback", TRANSACTION, SqlStore::broken);
        checkLive("rollback");
        store.run("rollback");
        ended("rollback");
        Points.after("rollback", TRANSACTION, SqlStore::broken);
    }

    private void ended(String how) {
        Object begun = transaction;
        transaction = null;
        if (begun != null) {
            store.world().ended(begun, how);
        }
    }

    // ---- the end ----

    private void end() throws SQLException {
        if (over) {
            return;
        }
        over = true;
        try {
            Points.before("end", NAME, SqlStore::broken);
        } finally {
            endNow();
        }
        Points.after("end", NAME, SqlStore::broken);
    }

    private void endNow() throws SQLException {
        if (transaction != null) {
            store.run("rollback");
            ended("its connection was closed");
            if (!aborted) {
                store.world()
                        .violated(new Violation(
                                12,
                                2,
                                NAME,
                                "a sql connection was return inside a transaction",
                                "end the transaction first, or close the connection for good"));
            }
        }
        store.world().ended(this, aborted ? "closed for good" : "return");
    }

    @Override
    public String toString() {
        return NAME;
    }

    /// A transaction that was begun, for the ledger.
    private static final class Begun {
        @Override
        public String toString() {
            return TRANSACTION;
        }
    }
}
