package dev.tenure.sim;

import dev.tenure.testkit.World;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/// A statement of the fake driver: it must be closed, and a cancel ends the execution that is under way.
///
/// **Owner:** who made it. **Ends:** `close`. **Threads:** one; `cancel` any.
final class SqlStatement implements InvocationHandler {
    private static final String NAME = "sql statement";
    private static final String CANCELLED = "57014";

    private final World world;
    private final Statement statement;
    private boolean over;
    private volatile boolean executing;
    private volatile boolean cancelled;

    private SqlStatement(World world, Statement statement) {
        this.world = world;
        this.statement = statement;
    }

    static Statement of(World world, Statement statement, Method maker) {
        var made = new SqlStatement(world, statement);
        world.opened(NAME, made);
        Class<?> type = maker.getReturnType();
        if (type == CallableStatement.class) {
            return SqlLoan.face(CallableStatement.class, made);
        }
        return type == PreparedStatement.class
                ? SqlLoan.face(PreparedStatement.class, made)
                : SqlLoan.face(Statement.class, made);
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a proxy equals itself alone
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] args) throws Throwable {
        return switch (method.getName()) {
            case "equals" -> args != null && proxy == args[0];
            case "hashCode" -> System.identityHashCode(this);
            case "toString" -> NAME;
            case "unwrap" -> proxy;
            case "cancel" -> cancelled();
            case "close" -> closed();
            default -> method.getName().startsWith("execute") ? executed(method, args) : asked(method, args);
        };
    }

    private @Nullable Object cancelled() {
        cancelled = executing;
        return null;
    }

    private @Nullable Object closed() throws SQLException {
        if (!over) {
            over = true;
            statement.close();
            world.ended(this, "close");
        }
        return null;
    }

    private @Nullable Object asked(Method method, @Nullable Object @Nullable [] args) throws Throwable {
        if (over && !method.getName().equals("isClosed")) {
            world.usedAfterItsEnd(NAME, "a sql statement was used after its close, by " + method.getName());
        }
        return SqlLoan.call(statement, method, args);
    }

    private @Nullable Object executed(Method method, @Nullable Object @Nullable [] args) throws Throwable {
        executing = true;
        try {
            Points.before("execute", NAME, SqlStore::broken);
            if (cancelled) {
                throw new SQLException("the statement was cancelled", CANCELLED);
            }
            Object answer = asked(method, args);
            Points.after("execute", NAME, SqlStore::broken);
            return answer;
        } finally {
            executing = false;
            cancelled = false;
        }
    }

    @Override
    public String toString() {
        return NAME;
    }
}
