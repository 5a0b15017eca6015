package dev.tenure.publish;

import dev.tenure.blobs.Blobs;
import dev.tenure.blobs.PlacedBlob;
import dev.tenure.blobs.StagedBlob;
import dev.tenure.core.CloseFailure;
import dev.tenure.core.Observer;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import dev.tenure.db.CommitOutcome;
import dev.tenure.db.Database;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/// Publishes bytes together with the rows that refer to them, or nothing: stage, place, begin, your rows and
/// jobs, commit, settle, in this order.
///
/// **Owner:** the caller; it keeps nothing between calls, and a call opens a scope of its own, so that there is no
/// form which takes one. The blob is owned by a scope of the call until the
/// commit, by the row that refers to it from then on. **Ends:** each call by its return: normally only if
/// everything is published. **States** of a call: `STAGED -> PLACED -> COMMITTING -> PUBLISHED | DISCARDED |
/// UNKNOWN`. **Threads:** any; a call stays on its thread. A cancel is seen until the commit starts; one that
/// comes later finds everything published. **Fails:** with the body's failure or the store's, after which
/// nothing is left; with [PublishUnknown] if nobody knows whether the commit took place, after which the
/// reclaimer finds out. **Source:** design 7, Law 8.
public final class Publisher {
    private final Database database;
    private final Blobs blobs;
    private final Observer observer;

    private Publisher(Database database, Blobs blobs, Observer observer) {
        this.database = Objects.requireNonNull(database, "database");
        this.blobs = Objects.requireNonNull(blobs, "blobs");
        this.observer = Objects.requireNonNull(observer, "observer");
    }

    /// Publishes into this store, with rows in this database.
    ///
    /// @param database holds the rows
    /// @param blobs holds the bytes
    /// @return the publisher
    public static Publisher of(Database database, Blobs blobs) {
        return new Publisher(database, blobs, Observer.none());
    }

    /// The same, telling an observer of failures after the commit, which no caller sees.
    ///
    /// @param ear is told
    /// @return the publisher
    public Publisher observedBy(Observer ear) {
        return new Publisher(database, blobs, ear);
    }

    /// Publishes a file. Leaves the file as it is.
    ///
    /// @param file readable until this returns
    /// @param work writes the rows
    /// @throws Exception as the work or the store does; nothing is published then
    public void publish(Path file, PublishWork work) throws Exception {
        run(scope -> blobs.stage(scope, file), returningKey(work));
    }

    /// Publishes a stream, read to its end. Does not close it.
    ///
    /// @param bytes the stream
    /// @param work writes the rows
    /// @throws Exception as the work, the stream or the store does; nothing is published then
    public void publish(InputStream bytes, PublishWork work) throws Exception {
        run(scope -> blobs.stage(scope, bytes), returningKey(work));
    }

    /// Publishes a file and returns what the body returns.
    ///
    /// @param <R> the result
    /// @param file readable until this returns
    /// @param body writes the rows
    /// @return the body's result, once published
    /// @throws Exception as the body or the store does; nothing is published then
    public <R> R publishReturning(Path file, PublishBody<R> body) throws Exception {
        return run(scope -> blobs.stage(scope, file), body);
    }

    /// Publishes a stream, read to its end, and returns what the body returns. Does not close the stream.
    ///
    /// @param <R> the result
    /// @param bytes the stream
    /// @param body writes the rows
    /// @return the body's result, once published
    /// @throws Exception as the body, the stream or the store does; nothing is published then
    public <R> R publishReturning(InputStream bytes, PublishBody<R> body) throws Exception {
        return run(scope -> blobs.stage(scope, bytes), body);
    }

    private static PublishBody<String> returningKey(PublishWork work) {
        return (tx, blob) -> {
            work.run(tx, blob);
            return blob.key();
        };
    }

    private <R> R run(Source source, PublishBody<R> body) throws Exception {
        Optional<CommitOutcome<R>> ended = Optional.empty();
        try (var scope = Scope.open("publish")) {
            Staged<PlacedBlob> placed = blobs.place(scope, source.stage(scope));
            var key = placed.get().key();
            var outcome = database.inTransaction(tx -> {
                tx.reconcileBy(key);
                R result = body.run(tx, placed.get());
                placed.inDoubt();
                return result;
            });
            ended = Optional.of(outcome);
            return Scope.shielded(() -> conclude(new Placed(placed, key), outcome));
        } catch (CloseFailure failure) {
            return afterCommit(ended, failure);
        }
    }

    /// What was committed is published, also if a cleanup after it failed.
    private <R> R afterCommit(Optional<CommitOutcome<R>> ended, CloseFailure failure) throws Exception {
        var committed = ended.filter(outcome -> outcome instanceof CommitOutcome.Committed<R>);
        if (committed.isEmpty()) {
            throw failure;
        }
        observer.failed("publish: a cleanup after its commit", failure);
        return committed.get().orThrow();
    }

    private <R> R conclude(Placed placed, CommitOutcome<R> outcome) throws Exception {
        switch (outcome) {
            case CommitOutcome.Committed<R> _ -> settle(placed.handle());
            case CommitOutcome.RolledBack<R>(Throwable cause) -> discard(placed.handle(), cause);
            case CommitOutcome.Unknown<R> unknown -> throw left(placed, unknown);
        }
        return outcome.orThrow();
    }

    /// The rows are committed, so the bytes are theirs whatever happens here: the reclaimer asks for references first.
    private void settle(Staged<PlacedBlob> placed) {
        try {
            blobs.settle(placed);
        } catch (RuntimeException | Error failure) {
            observer.failed("publish: settling a blob after its commit", failure);
        }
    }

    private void discard(Staged<PlacedBlob> placed, Throwable cause) {
        try {
            placed.refused();
            blobs.discard(placed);
        } catch (RuntimeException | Error failure) {
            cause.addSuppressed(failure);
        }
    }

    private <R> PublishUnknown left(Placed placed, CommitOutcome.Unknown<R> unknown) {
        var thrown = new PublishUnknown(placed.key(), unknown.evidence());
        try {
            blobs.leave(placed.handle());
        } catch (RuntimeException | Error failure) {
            thrown.addSuppressed(failure);
        }
        return thrown;
    }

    /// A placed blob, and its key, which is needed also when the handle is stale.
    private record Placed(Staged<PlacedBlob> handle, String key) {}

    @FunctionalInterface
    private interface Source {
        Staged<StagedBlob> stage(Scope scope) throws Exception;
    }
}
