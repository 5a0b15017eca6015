package dev.tenure.db.internal.guard;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;

/// A result set's guard: moving through the rows can be cancelled, reading a column is checked only.
final class GuardedResult extends Guard {
    private static final Set<String> MOVES =
            Set.of("next", "previous", "first", "last", "absolute", "relative", "beforeFirst", "afterLast");

    /// Where a result set came from.
    ///
    /// @param source what a cancel reaches it by
    /// @param statement what its user may know it came from
    /// @param born how many cancels there had been
    record Origin(Statement source, Optional<Statement> statement, int born) {}

    private final Origin origin;

    private GuardedResult(Borrowed borrowed, ResultSet raw, Origin origin) {
        super(borrowed, raw, ResultSet.class);
        this.origin = origin;
    }

    static ResultSet of(Borrowed borrowed, ResultSet raw, Origin origin) {
        return facing(ResultSet.class, new GuardedResult(borrowed, raw, origin));
    }

    @Override
    Optional<Object> on(Invocation call) throws SQLException {
        if (call.name().equals("close")) {
            return close(call);
        }
        String label = label(call);
        borrowed.calls().check(label, origin.born());
        if (call.name().equals("getStatement")) {
            return origin.statement().map(Object.class::cast);
        }
        Optional<Object> answer = MOVES.contains(call.name())
                ? borrowed.call(label, origin.source(), () -> directly(call))
                : directly(call);
        return GuardedAbout.isAbout(call.answer())
                ? answer.map(about -> GuardedAbout.of(borrowed, about, call.answer(), origin.born()))
                : answer;
    }

    private Optional<Object> close(Invocation call) throws SQLException {
        if (borrowed.calls().isSealed()) {
            return Optional.empty();
        }
        borrowed.calls().checkOwner(label(call));
        return borrowed.call(label(call), null, () -> directly(call));
    }
}
