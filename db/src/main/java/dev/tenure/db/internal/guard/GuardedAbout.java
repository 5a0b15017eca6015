package dev.tenure.db.internal.guard;

import java.sql.ParameterMetaData;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.Optional;

/// The guard of what a statement tells of its columns or parameters: drivers answer with the statement or the result
/// set itself, which leads back to their connection.
final class GuardedAbout extends Guard {
    private final int born;

    private GuardedAbout(Borrowed borrowed, Object raw, Class<?> face, int born) {
        super(borrowed, raw, face);
        this.born = born;
    }

    static boolean isAbout(Class<?> face) {
        return face == ResultSetMetaData.class || face == ParameterMetaData.class;
    }

    /// @param face one that [#isAbout]
    /// @param born how many cancels there had been when what it tells of was opened
    static Object of(Borrowed borrowed, Object raw, Class<?> face, int born) {
        return facing(face, new GuardedAbout(borrowed, raw, face, born));
    }

    @Override
    Optional<Object> on(Invocation call) throws SQLException {
        borrowed.calls().check(label(call), born);
        return directly(call);
    }
}
