package dev.tenure.db;

import java.time.Duration;

/// How a transaction ended: three answers, since a commit whose reply was lost is neither of the other two.
///
/// **Threads:** immutable. **Source:** design 7, Law 8.
///
/// @param <R> the body's result
public sealed interface CommitOutcome<R> {
    /// The three ways to end, without the values.
    enum End {
        /// The database confirmed the commit.
        COMMITTED,
        /// Nothing of it was done.
        ROLLED_BACK,
        /// Only the database knows.
        UNKNOWN
    }

    /// The database confirmed the commit.
    ///
    /// @param <R> the body's result
    /// @param value what the body returned
    record Committed<R>(R value) implements CommitOutcome<R> {
        @Override
        public End end() {
            return End.COMMITTED;
        }

        @Override
        public R orThrow() {
            return value;
        }
    }

    /// Nothing of it was done.
    ///
    /// @param <R> the body's result
    /// @param cause the first failure: the body's own, a cancel, or a [RollbackFailed] that carries it
    record RolledBack<R>(Throwable cause) implements CommitOutcome<R> {
        @Override
        public End end() {
            return End.ROLLED_BACK;
        }

        @Override
        public R orThrow() throws Exception {
            switch (cause) {
                case Exception exception -> throw exception;
                case Error error -> throw error;
                default -> throw new IllegalStateException("rolled back", cause);
            }
        }
    }

    /// COMMIT was sent and its answer did not come, or says nothing about the outcome. It is never sent again.
    ///
    /// @param <R> the body's result
    /// @param evidence what is known
    record Unknown<R>(Evidence evidence) implements CommitOutcome<R> {
        @Override
        public End end() {
            return End.UNKNOWN;
        }

        @Override
        public R orThrow() {
            throw new CommitUnknown(evidence);
        }
    }

    /// What is known about a commit of unknown outcome.
    ///
    /// @param database the database's name
    /// @param transaction the transaction's id
    /// @param key what [Transaction#reconcileBy] set, to look for later; empty if nothing was set
    /// @param waited how long the answer was waited for
    /// @param failure what came instead
    record Evidence(String database, String transaction, String key, Duration waited, Throwable failure) {}

    /// Which of the three it is.
    ///
    /// @return without the values
    End end();

    /// The body's result if it was committed.
    ///
    /// @return the result
    /// @throws Exception the cause of a rollback; [CommitUnknown] if nobody knows
    R orThrow() throws Exception;
}
