package dev.tenure.db.internal.guard;

import dev.tenure.core.Scope;
import java.sql.SQLException;

/// Keeps interrupts away from the driver: ours wait, a foreign one is put back afterwards.
final class Shield {
    private Shield() {}

    static <R> R run(Step<R> step) throws SQLException {
        boolean interrupted = Thread.interrupted();
        try {
            return Scope.shielded(step::run);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
