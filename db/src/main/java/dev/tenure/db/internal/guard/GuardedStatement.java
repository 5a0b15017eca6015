package dev.tenure.db.internal.guard;

import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/// A statement's guard: what it executes can be cancelled, and what it opens is guarded.
final class GuardedStatement extends Guard {
    private final Statement raw;
    private final Connection connection;
    private final int born;

    private GuardedStatement(Borrowed borrowed, Statement raw, Class<?> face, Connection connection) {
        super(borrowed, raw, face);
        this.raw = raw;
        this.connection = connection;
        this.born = borrowed.calls().age();
    }

    static Statement of(Borrowed borrowed, Statement raw, Connection connection) {
        borrowed.calls().opened(raw);
        Class<? extends Statement> face = switch (raw) {
            case CallableStatement _ -> CallableStatement.class;
            case PreparedStatement _ -> PreparedStatement.class;
            default -> Statement.class;
        };
        return facing(face, new GuardedStatement(borrowed, raw, face, connection));
    }

    @Override
    Optional<Object> on(Invocation call) throws SQLException {
        if (call.name().equals("close")) {
            close(call);
            return Optional.empty();
        }
        String label = label(call);
        borrowed.calls().check(label, born);
        return switch (call.name()) {
            case "getConnection" -> Optional.of(connection);
            case "cancel" -> throw borrowed.refused(label, "cancel the lease's scope, by its Canceller");
            case "setQueryTimeout" -> setQueryTimeout(call);
            default -> run(label, call);
        };
    }

    /// Closing is harmless after the lease's end, which closed it.
    private void close(Invocation call) throws SQLException {
        if (borrowed.calls().isSealed()) {
            return;
        }
        borrowed.calls().checkOwner(label(call));
        borrowed.calls().closed(raw);
        borrowed.call(label(call), null, () -> directly(call));
    }

    private Optional<Object> setQueryTimeout(Invocation call) throws SQLException {
        if (!borrowed.hasQueryTimeout() && !Integer.valueOf(0).equals(call.argument())) {
            throw borrowed.refused(
                    label(call), "the driver would wait inside native code: open a scope with a Deadline instead");
        }
        return directly(call);
    }

    private Optional<Object> run(String label, Invocation call) throws SQLException {
        if (call.isFirst(String.class)
                && (call.name().startsWith("execute") || call.name().equals("addBatch"))) {
            borrowed.read(label, call.text());
        }
        int age = borrowed.calls().age();
        Optional<Object> answer = isRepeatable(call.name())
                ? borrowed.execute(label, raw, () -> directly(call))
                : borrowed.call(label, raw, () -> directly(call));
        return answer.map(found -> guard(call, found, age));
    }

    private Object guard(Invocation call, Object found, int age) {
        if (GuardedAbout.isAbout(call.answer())) {
            return GuardedAbout.of(borrowed, found, call.answer(), born);
        }
        return found instanceof ResultSet rows ? guard(call, rows, age) : found;
    }

    /// @param age as it was before the call: a cancel during it dooms what it opened
    private Object guard(Invocation call, ResultSet rows, int age) {
        if (call.name().equals("getGeneratedKeys")) {
            borrowed.calls().opened(rows);
        }
        return GuardedResult.of(
                borrowed, rows, new GuardedResult.Origin(raw, Optional.of((Statement) call.proxy()), age));
    }

    /// A batch may have done half of its work before it met a lock.
    private static boolean isRepeatable(String name) {
        return name.startsWith("execute") && !name.endsWith("Batch");
    }
}
