package dev.tenure.db;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import com.google.errorprone.annotations.CheckReturnValue;
import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Holder;
import dev.tenure.core.OwnershipException;
import dev.tenure.core.Permits;
import dev.tenure.core.Scope;
import dev.tenure.db.internal.dialect.Faults;
import dev.tenure.host.Component;
import dev.tenure.host.Phase;
import dev.tenure.host.Stop;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/// Lends connections: one writer behind a fair queue, and readers beside it.
///
/// **Owner:** the host that opened it, or whoever called [DatabaseBuilder#open()]. **Ends:** [#close()]: borrowers
/// and waiters are refused at once, the last lease is waited for, then the pools are closed.
/// **States:** `OPEN -> CLOSING -> DISPOSING -> CLOSED`. **Threads:** any; a lease is its borrower's alone.
/// **Limits:** writers 1, readers 4, waiters 256 for each, 10 s for a lease, 5 s for a lock of another process.
/// **Fails:** [DatabaseException] and its subtypes. **Source:** design 7.
public final class Database implements Component, AutoCloseable {
    private final Settings settings;
    private final LeaseBook book;
    private final Lane writer;
    private final Lane readers;
    private final AtomicLong transactions = new AtomicLong();
    private final List<CloseReport.Failure> aborted = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable CloseReport> ended = new AtomicReference<>();

    Database(Settings settings, Lane writer, Lane readers) {
        this.settings = settings;
        this.writer = writer;
        this.readers = readers;
        this.book = new LeaseBook(settings, this::disposeOnce);
    }

    /// Builds a database over an SQLite file in WAL mode. Opens nothing yet.
    ///
    /// @param file created if it is not there; its folder must be
    /// @return the builder
    public static DatabaseBuilder sqlite(Path file) {
        return DatabaseBuilder.sqlite(file);
    }

    /// Builds a database over a data source that somebody else owns and closes. Opens nothing yet.
    ///
    /// @param borrowed gives connections
    /// @return the builder
    public static DatabaseBuilder over(DataSource borrowed) {
        return DatabaseBuilder.over(borrowed);
    }

    /// Lends a reader, in autocommit. It sees what was committed before each statement, and writes are refused.
    ///
    /// @param <R> the result
    /// @param <X> what the body may throw
    /// @param body runs with the connection
    /// @return its result
    /// @throws X as the body does
    public <R, X extends Exception> R withReader(SqlBody<R, X> body) throws X {
        return lend(readers, lease -> body.run(lease.connection()));
    }

    /// Lends the writer, in autocommit: each statement is a transaction of its own.
    ///
    /// @param <R> the result
    /// @param <X> what the body may throw
    /// @param body runs with the connection
    /// @return its result
    /// @throws X as the body does
    public <R, X extends Exception> R withLease(SqlBody<R, X> body) throws X {
        return lend(writer, lease -> body.run(lease.connection()));
    }

    private interface Loan<R, X extends Exception> {
        R run(JdbcLease lease) throws X;
    }

    /// The inner scope ends before the lease does, so that what the body leaves to it may still use the connection.
    private <R, X extends Exception> R lend(Lane lane, Loan<R, X> loan) throws X {
        book.checkBorrower();
        String label = borrower();
        try (Scope owner = Scope.open("lease")) {
            JdbcLease lease = borrow(lane, owner, label);
            try (Scope home = Scope.open("borrower")) {
                lease.lentTo(home);
                return loan.run(lease);
            }
        }
    }

    /// Runs the body in a transaction of the writer, commits, and returns the body's result: it returns only if it was
    /// committed. For a caller that needs to tell the ways to fail apart, there is [#inTransaction].
    ///
    /// @param <R> the result
    /// @param body returns to commit, throws to roll back
    /// @return the body's result
    /// @throws Exception what the body threw, or what else rolled the transaction back; [CommitUnknown] if nobody
    /// but the database knows whether it was committed
    @CanIgnoreReturnValue
    public <R> R commit(TransactionBody<R> body) throws Exception {
        return inTransaction(body).orThrow();
    }

    /// Runs the body in a transaction of the writer and says how it ended. Never throws what the body threw: that is
    /// the cause of [CommitOutcome.RolledBack]. Throws only if the transaction could not begin for want of a lease,
    /// or because the caller was cancelled before.
    ///
    /// @param <R> the result
    /// @param body returns to commit, throws to roll back
    /// @return how it ended; a caller that drops it would take a rollback for a success: use [#commit] then
    @CheckReturnValue
    public <R> CommitOutcome<R> inTransaction(TransactionBody<R> body) {
        book.checkBorrower();
        String label = borrower();
        var run = new TransactionRun<R>(settings, settings.name() + '-' + transactions.incrementAndGet());
        try (Scope owner = Scope.open("transaction")) {
            run.in(owner, borrow(writer, owner, label), body);
        } catch (OwnershipException e) {
            run.failedAfterEnd(e);
        }
        return run.concluded();
    }

    private JdbcLease borrow(Lane lane, Scope owner, String label) {
        try {
            lane.places().acquire(owner, Deadline.in(settings.leaseTimeout(), settings.timeSource()));
            return owner.acquire(JdbcLease.TYPE, () -> JdbcLease.open(book, lane, label))
                    .get();
        } catch (Permits.Busy e) {
            throw new Busy(
                    "%s: %s".formatted(numbers(lane, label), "the queue is full: try later, or raise waitersMax"));
        } catch (Permits.WaitTimeout e) {
            throw new LeaseTimeout("%s: no connection within %d ms%s: shorten that lease, or raise leaseTimeout"
                    .formatted(numbers(lane, label), settings.leaseTimeout().toMillis(), oldest()));
        } catch (AdmissionClosed e) {
            throw book.closed();
        } catch (SQLException e) {
            throw Trouble.of(
                    numbers(lane, label), Faults.of(e), e, settings.patience().lockTimeout());
        }
    }

    private String numbers(Lane lane, String label) {
        int leased = lane.capacity() - lane.places().available();
        return "database '%s', %s for '%s' (capacity %d, leased %d, waiting %d)"
                .formatted(
                        settings.name(),
                        lane.kind(),
                        label,
                        lane.capacity(),
                        leased,
                        lane.places().waiting());
    }

    private String oldest() {
        return book.oldest()
                .map(lease -> "; oldest lease '%s' held %d ms"
                        .formatted(lease.label(), lease.age().toMillis()))
                .orElse("");
    }

    /// The task's name, such as a route, or the name of the scope that borrows.
    private static String borrower() {
        String thread = Thread.currentThread().getName();
        return thread.isEmpty() ? Scope.innermost().map(Scope::name).orElse("unnamed thread") : thread;
    }

    /// Refuses borrowers at once, waits for the last lease as long as it takes, and closes the pools. Repeating it is
    /// harmless. A cancelled or interrupted wait leaves the database closing, to be waited for again.
    @Override
    public void close() {
        close(Deadline.none());
    }

    /// The same with a bounded wait. At its end nothing that is in use was closed: the report names who holds it,
    /// unless aborting was allowed when the database was built.
    ///
    /// @param deadline the end of the wait
    /// @return the final report, the same for every caller; or an `OVERDUE` one, and closing goes on
    public CloseReport close(Deadline deadline) {
        long started = settings.timeSource().nanos();
        if (book.beginClosing()) {
            lanes().forEach(lane -> lane.places().close());
        }
        if (!book.awaitIdle(deadline) && !(settings.abortHeld() && abortAll())) {
            return overdue(started);
        }
        disposeOnce();
        while (ended.get() == null) {
            if (!book.awaitIdle(deadline)) {
                return overdue(started);
            }
        }
        return Objects.requireNonNull(ended.get());
    }

    /// @return whether no lease is out any more; one whose call runs on stays
    private boolean abortAll() {
        for (JdbcLease lease : book.live()) {
            var forced = new CloseReport.Failure("aborted " + lease.place(), lease.abortion());
            aborted.add(forced);
            if (!lease.abort()) {
                aborted.remove(forced);
            }
        }
        return book.live().isEmpty();
    }

    private CloseReport overdue(long started) {
        var elapsed = Duration.ofNanos(settings.timeSource().nanos() - started);
        return new CloseReport(described(), CloseReport.Status.OVERDUE, 0, List.of(), book.holders(), elapsed);
    }

    private String described() {
        return "database '" + settings.name() + "'";
    }

    private void disposeOnce() {
        if (!book.beginDisposing()) {
            return;
        }
        long started = settings.timeSource().nanos();
        var failures = new ArrayList<CloseReport.Failure>(aborted);
        Scope.shielded(() -> {
            lanes().forEach(lane -> dispose(lane, failures));
            return failures;
        });
        var elapsed = Duration.ofNanos(settings.timeSource().nanos() - started);
        var status = failures.isEmpty() ? CloseReport.Status.CLEAN : CloseReport.Status.FAILED;
        ended.set(new CloseReport(described(), status, (int) book.lent(), failures, List.of(), elapsed));
        book.disposed();
    }

    /// The readers first: the last connection that closes empties the WAL, and must be able to write.
    private List<Lane> lanes() {
        return writer.equals(readers) ? List.of(writer) : List.of(readers, writer);
    }

    private static void dispose(Lane lane, List<CloseReport.Failure> failures) {
        try {
            lane.dispose();
        } catch (Throwable e) { // an Error too must not leave those who close waiting
            failures.add(new CloseReport.Failure(lane.kind() + " pool", e));
        }
    }

    // ---- as a component ----

    @Override
    public String name() {
        return described();
    }

    @Override
    public Set<Phase> phases() {
        return Set.of(Phase.DISPOSE_DEPENDENCIES);
    }

    /// Closes within the phase's budget; a lease that is still out keeps the pools open, and its holder is named.
    @Override
    public void enter(Phase phase, Stop stop) {
        CloseReport report = close(stop.deadline());
        if (report.status() == CloseReport.Status.FAILED) {
            CloseReport.Failure first = report.failures().getFirst();
            throw new IllegalStateException(described() + ": " + first.what() + " did not close", first.failure());
        }
    }

    /// Ends the statements that run now; their users see it as a cancel.
    @Override
    public void force(Stop stop) {
        book.live().forEach(JdbcLease::cancel);
    }

    @Override
    public List<Holder> holders() {
        return book.holders();
    }

    @Override
    public Map<String, Long> counts() {
        long waiting = 0;
        for (Lane lane : lanes()) {
            waiting += lane.places().waiting();
        }
        return Map.of("leases", (long) book.live().size(), "waiting", waiting, "lent", book.lent());
    }

    @Override
    public String toString() {
        return described() + ' ' + book.state();
    }
}
