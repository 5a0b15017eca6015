package dev.tenure.db;

import dev.tenure.core.Holder;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.db.internal.guard.Borrowed;
import dev.tenure.db.internal.guard.Refusals;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/// A connection lent for one callback, which goes back to its pool exactly once.
///
/// **Owner:** the scope that [Database] opens around the callback. **Ends:** with that scope, or when an explicitly
/// allowed abort takes it away. **States:** `LEASED -> RETURNING -> RETURNED`; one compare-and-set decides who
/// returns it, and a transaction is rolled back first. **Threads:** the borrower's; [#cancel], [#abort] and [#holder]
/// any.
final class JdbcLease implements Refusals {
    /// Fires `acquire/lease` and `release/lease`; a cancel ends the running statement.
    static final ResourceType<JdbcLease> TYPE =
            ResourceType.<JdbcLease>of("lease", JdbcLease::end).onCancel(JdbcLease::scopeCancelled);

    /// Lets a cancel of the callback's own scope reach the lease; owns nothing.
    private static final ResourceType<JdbcLease> LENT =
            ResourceType.<JdbcLease>of("lent", _ -> {}).onCancel(JdbcLease::scopeCancelled);

    private enum State {
        LEASED,
        RETURNING,
        RETURNED
    }

    private final LeaseBook book;
    private final Settings settings;
    private final Lane lane;
    private final String label;
    private final Connection raw;
    private final Borrowed borrowed;
    private final Thread thread = Thread.currentThread();
    private final long since;
    private final AtomicReference<State> state = new AtomicReference<>(State.LEASED);
    private final AtomicBoolean told = new AtomicBoolean();
    private volatile long cancelledNanos;
    private volatile boolean cancelled;

    /// Takes a connection of the lane, for which the caller has a permit.
    ///
    /// @param label who borrows
    static JdbcLease open(LeaseBook book, Lane lane, String label) throws SQLException {
        book.opening();
        try {
            JdbcLease lease = new JdbcLease(book, lane, label);
            book.begun(lease);
            return lease;
        } catch (Throwable failure) {
            book.notBegun();
            throw failure;
        }
    }

    private JdbcLease(LeaseBook book, Lane lane, String label) throws SQLException {
        this.book = book;
        this.settings = book.settings();
        this.lane = lane;
        this.label = label;
        this.since = settings.timeSource().nanos();
        this.raw = Scope.shielded(lane::open);
        this.borrowed = new Borrowed(raw, lane.dialect(), this, settings.patience());
    }

    Connection connection() {
        return borrowed.guarded();
    }

    Borrowed borrowed() {
        return borrowed;
    }

    Thread thread() {
        return thread;
    }

    String label() {
        return label;
    }

    Lane lane() {
        return lane;
    }

    void check(String call) {
        borrowed.check(call);
    }

    /// Says in which scope the callback runs.
    void lentTo(Scope home) {
        borrowed.home(home);
        home.own(LENT, this);
    }

    /// The first cancel of the lease's scope or the callback's; both tell the same.
    private void scopeCancelled() {
        if (!told.getAndSet(true)) {
            cancel();
        }
    }

    /// Ends the running statement; what was opened before it is doomed, what comes after it works.
    void cancel() {
        cancelledNanos = settings.timeSource().nanos();
        cancelled = true;
        borrowed.cancel();
    }

    /// Gives the connection back. Called by its scope; never throws.
    void end() {
        rollBackIfInside();
        borrowed.seal();
        if (!state.compareAndSet(State.LEASED, State.RETURNING)) {
            return;
        }
        try {
            if (borrowed.reset()) {
                lane.giveBack(raw);
            } else {
                lane.evict(raw);
            }
        } catch (SQLException | RuntimeException e) {
            settings.observer().failed(place(), e);
        } finally {
            returned();
        }
    }

    /// Takes the connection away from its user and closes it, unless a call is running: that one is cancelled, and
    /// the lease ends with it.
    ///
    /// @return whether this call took it away
    boolean abort() {
        borrowed.cancel();
        if (!borrowed.seal() || !state.compareAndSet(State.LEASED, State.RETURNING)) {
            return false;
        }
        try {
            lane.evict(raw);
        } catch (SQLException | RuntimeException e) {
            settings.observer().failed(place(), e);
        } finally {
            returned();
        }
        return true;
    }

    /// What the user of an aborted lease meets, and the report names.
    LeaseEscaped abortion() {
        return new LeaseEscaped("%s: taken away by a close that ran out of time, %d ms after it began"
                .formatted(place(), age().toMillis()));
    }

    private void returned() {
        state.set(State.RETURNED);
        book.ended(this);
    }

    private void rollBackIfInside() {
        if (!borrowed.isInside() || borrowed.isTaken()) {
            return;
        }
        try {
            borrowed.rollback();
        } catch (SQLException | RuntimeException e) {
            borrowed.doubt();
            settings.observer().failed(place(), e);
        }
    }

    String place() {
        return "database '%s', %s lease of '%s'".formatted(settings.name(), lane.kind(), label);
    }

    Duration age() {
        return Duration.ofNanos(settings.timeSource().nanos() - since);
    }

    Holder holder() {
        Optional<Duration> cancelledAgo = cancelled
                ? Optional.of(Duration.ofNanos(settings.timeSource().nanos() - cancelledNanos))
                : Optional.empty();
        return new Holder(
                label,
                "%s lease of database '%s'".formatted(lane.kind(), settings.name()),
                age(),
                cancelledAgo,
                List.of(thread.getStackTrace()));
    }

    // ---- what the guard throws ----

    @Override
    public RuntimeException escaped(String call) {
        return new LeaseEscaped("%s: %s: the lease has ended, %d ms after it began; do it inside the callback"
                .formatted(place(), call, age().toMillis()));
    }

    @Override
    public RuntimeException wrongThread(String call) {
        return new WrongThreadLease("%s: %s by thread '%s': it was lent to thread '%s'; borrow another one there"
                .formatted(place(), call, Thread.currentThread().getName(), thread.getName()));
    }

    @Override
    public RuntimeException refused(String call, String instead) {
        return new LeaseRefusal("%s: %s is not the borrower's: %s".formatted(place(), call, instead));
    }

    @Override
    public RuntimeException cancelled(String call) {
        Scope.innermost().ifPresent(Scope::checkpoint);
        return new StatementCancelled(
                "%s: %s was cancelled, %d ms after the lease began; open a new statement to clean up"
                        .formatted(place(), call, age().toMillis()));
    }

    @Override
    public void notCancelled(String call, Optional<Exception> failure) {
        String why = failure.map(e -> "the driver refuses its cancel, which goes on being repeated: " + e)
                .orElse("it was cancelled again and again and runs on; that is repeated until it ends");
        String message =
                "%s: %s runs on, %d ms after the lease began: %s".formatted(place(), call, age().toMillis(), why);
        settings.observer().failed(place(), new IllegalStateException(message, failure.orElse(null)));
    }

    @Override
    public void notLentAgain(SQLException why) {
        String message = "%s: its connection is closed instead of lent again: %s".formatted(place(), why.getMessage());
        settings.observer().failed(place(), new IllegalStateException(message, why));
    }

    @Override
    public RuntimeException unavailable(Fault fault, SQLException error) {
        if (fault == Fault.READ_ONLY && !lane.isWriter()) {
            return new LeaseRefusal("%s: a reader may not write: use withLease or inTransaction (%s)"
                    .formatted(place(), error.getMessage()));
        }
        return Trouble.of(place(), fault, error, settings.patience().lockTimeout());
    }
}
