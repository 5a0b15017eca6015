package dev.tenure.db.internal.guard;

import dev.tenure.core.Deadline;
import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Timers;
import dev.tenure.db.internal.dialect.Fault;
import dev.tenure.db.internal.dialect.Faults;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The calls of one lease on its connection: each runs shielded from interrupts, one at a time, on the lease's
/// thread.
///
/// A cancel ends the call that runs at that instant, and dooms every statement and result set opened before it; what
/// is opened afterwards works, so cleanups can use the lease. The driver is asked to cancel without the lock, since
/// only it knows how long that takes; the call it is meant for does not end before that has returned, so no cancel
/// reaches another call or the next borrower.
///
/// **Owner:** the lease. **Ends:** sealed, once. **Threads:** calls by the lease's thread; [#cancel] and [#seal] by
/// any.
final class Calls {
    /// One running call.
    private static final class Call {
        final String name;
        final @Nullable Statement target;
        final int age;
        volatile boolean doomed;

        // Guarded by lock.
        Timers.@Nullable Alarm again;
        boolean sending;
        boolean leaving;
        boolean told;
        int repeats;

        Call(String name, @Nullable Statement target, int age) {
            this.name = name;
            this.target = target;
            this.age = age;
        }
    }

    /// Ends a call on behalf of an inner scope; owns nothing.
    private static final ResourceType<Runnable> WATCH =
            ResourceType.<Runnable>of("statement", _ -> {}).onCancel(Runnable::run);

    private final Thread owner = Thread.currentThread();
    private final Refusals refusals;
    private final Patience patience;
    private final Notice notice = new Notice();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition cancelledOrSealed = lock.newCondition();
    private final Condition sent = lock.newCondition();

    /// Guarded by lock.
    private @Nullable Call running;

    /// Written under lock, read by any.
    private volatile boolean sealed;

    /// How many; counted before the lock is taken, so that a borrower in a tight loop sees a cancel that waits for
    /// it.
    private final AtomicInteger cancels = new AtomicInteger();

    // Written and read by the owner.
    private boolean lastDoomed;
    private boolean leftOpen;

    /// Written and read by the owner, and by who seals after that.
    private final Set<AutoCloseable> open = Collections.newSetFromMap(new IdentityHashMap<>(4));

    /// The calls of the calling thread's lease.
    Calls(Refusals refusals, Patience patience) {
        this.refusals = refusals;
        this.patience = patience;
    }

    /// Refuses unless the lease lives, its thread calls, and what is used was opened since the last cancel.
    ///
    /// @param call what is being called
    /// @param born [#age()] at the opening of what is used
    void check(String call, int born) {
        checkOwner(call);
        if (born < cancels.get() && !Scope.isShielded()) {
            throw told(call);
        }
    }

    private RuntimeException told(String call) {
        notice.given();
        return refusals.cancelled(call);
    }

    void checkOwner(String call) {
        if (sealed) {
            throw refusals.escaped(call);
        }
        if (Thread.currentThread() != owner) {
            throw refusals.wrongThread(call);
        }
    }

    /// How many cancels there have been.
    int age() {
        return cancels.get();
    }

    /// Whether the lease has ended.
    boolean isSealed() {
        return sealed;
    }

    Refusals refusals() {
        return refusals;
    }

    void opened(AutoCloseable opened) {
        open.add(opened);
    }

    void closed(AutoCloseable closed) {
        open.remove(closed);
    }

    /// Runs one call of the driver.
    ///
    /// @param call its name
    /// @param target what a cancel reaches it by; null if it is not to be cancelled
    /// @param step the call
    <R> R run(String call, @Nullable Statement target, Step<R> step) throws SQLException {
        return perform(enter(call, Scope.isShielded() ? null : target), step);
    }

    /// The call has entered and is watched before it looks whether a cancel has come: one that comes later finds it.
    private <R> R perform(Call current, Step<R> step) throws SQLException {
        try (AutoCloseableQuietly _ = watched(current)) {
            if (current.target != null && mustHurry(current.name)) {
                endSoon(current);
            }
            return Shield.run(step);
        } finally {
            leave(current);
        }
    }

    private interface AutoCloseableQuietly extends AutoCloseable {
        @Override
        void close();
    }

    /// A scope that the borrower opened inside the lease's own, such as one with a deadline, ends the call as well.
    private AutoCloseableQuietly watched(Call current) {
        var inner = current.target == null ? Optional.<Scope>empty() : notice.inner();
        if (inner.isEmpty() || inner.get().cancelled().isPresent()) {
            return () -> {};
        }
        Owned<Runnable> watch = inner.get().own(WATCH, () -> endedFromInside(current));
        return watch::close;
    }

    private void endedFromInside(Call call) {
        if (notice.isLeaseCancelled()) {
            return; // the lease's own hook does it
        }
        boolean due = false;
        lock.lock();
        try {
            if (running == call) {
                cancels.incrementAndGet();
                due = beginSending(call);
            }
        } finally {
            lock.unlock();
        }
        if (due) {
            send(call);
        }
    }

    /// @return whether the call must not take long, since the borrower may not know of a cancel
    private boolean mustHurry(String call) {
        boolean due = notice.isDue();
        if (due && Thread.currentThread().isInterrupted()) {
            throw told(call);
        }
        return due;
    }

    private void endSoon(Call call) {
        Deadline soon = Deadline.in(Patience.CALL_AFTER_CANCEL, patience.timeSource());
        lock.lock();
        try {
            if (!call.doomed) {
                call.again = patience.timers().at(soon, () -> sendAgain(call));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Runs a call that does nothing while another connection has the lock, again and again until it had its turn.
    <R> R runPatiently(String call, @Nullable Statement target, Step<R> step) throws SQLException {
        int born = cancels.get();
        Deadline deadline = Deadline.in(patience.lockTimeout(), patience.timeSource());
        long pause = Patience.LOCK_PAUSE.toNanos();
        while (true) {
            try {
                return run(call, target, step);
            } catch (SQLException e) {
                if (Faults.of(e) != Fault.LOCKED || deadline.passed() || !pause(pause, born)) {
                    throw e;
                }
                check(call, born);
                born = cancels.get();
                pause = Math.min(2 * pause, Patience.LOCK_PAUSE_MAX.toNanos());
            }
        }
    }

    /// Whether the last call, which failed like this, was ended by a cancel.
    boolean endedByCancel(SQLException failure) {
        boolean ended = lastDoomed && Faults.of(failure) == Fault.INTERRUPTED;
        if (ended) {
            notice.given();
        }
        return ended;
    }

    /// @return false if the wait was interrupted by somebody who did not cancel
    private boolean pause(long nanos, int born) {
        lock.lock();
        try {
            long left = nanos;
            while (left > 0 && cancels.get() == born && !sealed) {
                left = cancelledOrSealed.awaitNanos(left);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return cancels.get() != born;
        } finally {
            lock.unlock();
        }
    }

    private Call enter(String call, @Nullable Statement target) {
        lock.lock();
        try {
            checkOwner(call);
            Call current = new Call(call, target, cancels.get());
            running = current;
            return current;
        } finally {
            lock.unlock();
        }
    }

    private void leave(Call current) {
        lock.lock();
        try {
            current.leaving = true;
            disarm(current);
            leftOpen |= !awaitSent(current);
            running = null;
            lastDoomed = current.doomed;
        } finally {
            lock.unlock();
        }
        if (lastDoomed) {
            closeDoomed();
        }
    }

    /// Waits for a cancel that the driver is at, for it would hit the next call.
    ///
    /// @return false if it did not return: the connection must not be lent again
    private boolean awaitSent(Call call) {
        boolean interrupted = false;
        long left = Patience.CANCEL_RETURNS.toNanos();
        while (call.sending && left > 0) {
            try {
                left = sent.awaitNanos(left);
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !call.sending;
    }

    /// An interrupt of SQLite lasts until no statement is under way, so the doomed ones are closed for the sake of
    /// those that come after.
    private void closeDoomed() {
        try {
            closeOpen();
        } catch (SQLException e) {
            leftOpen = true;
        }
    }

    /// Whether a statement could not be closed, or a cancel may still be on its way, so that the connection should not
    /// be lent again.
    boolean hasLeftOpen() {
        return leftOpen;
    }

    /// Says in which scope the callback runs.
    void home(Scope scope) {
        notice.home(scope);
    }

    /// Closes every statement that is open, with interrupts kept away from the driver; throws the first failure.
    void closeOpen() throws SQLException {
        Shield.run(() -> {
            closeAll();
            return true;
        });
    }

    private void closeAll() throws SQLException {
        SQLException first = null;
        List<AutoCloseable> closing = List.copyOf(open);
        open.clear();
        for (AutoCloseable each : closing) {
            try {
                each.close();
            } catch (Exception e) {
                SQLException failure = e instanceof SQLException sql ? sql : new SQLException("not closed", e);
                if (first == null) {
                    first = failure;
                } else {
                    first.addSuppressed(failure);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /// Ends the running call and dooms what is open. Waits for neither, only for the driver to take the cancel. Does
    /// nothing once sealed.
    void cancel() {
        notice.come();
        int mine = cancels.incrementAndGet();
        Call current;
        boolean due = false;
        lock.lock();
        try {
            current = running;
            if (!sealed && current != null && current.age < mine) {
                current.repeats = 0;
                due = beginSending(current);
            }
            cancelledOrSealed.signalAll();
        } finally {
            lock.unlock();
        }
        if (due && current != null) {
            send(current);
        }
    }

    /// Reserves the driver's cancel for the caller, who then must [#send]. The lock is held.
    ///
    /// @return false if there is nothing to cancel, or somebody else is at it
    private static boolean beginSending(Call call) {
        if (call.target == null || call.sending || call.leaving) {
            return false;
        }
        call.doomed = true;
        call.sending = true;
        disarm(call);
        return true;
    }

    private void send(Call call) {
        Optional<Exception> failure = cancelled(call.target);
        boolean tell;
        lock.lock();
        try {
            call.sending = false;
            sent.signalAll();
            boolean worth = failure.isPresent() || call.repeats >= Patience.CANCELS_BEFORE_TELLING;
            tell = worth && !call.told && !call.leaving;
            call.told |= tell;
            if (!call.leaving) {
                call.again = patience.timers().at(patience.again(call.repeats), () -> sendAgain(call));
                call.repeats++;
            }
        } finally {
            lock.unlock();
        }
        if (tell) {
            refusals.notCancelled(call.name, failure);
        }
    }

    private static Optional<Exception> cancelled(@Nullable Statement target) {
        try {
            if (target != null) {
                target.cancel();
            }
            return Optional.empty();
        } catch (SQLException | RuntimeException e) {
            return Optional.of(e);
        }
    }

    private static void disarm(Call call) {
        Timers.Alarm armed = call.again;
        if (armed != null) {
            armed.cancel();
        }
    }

    private void sendAgain(Call call) {
        boolean due;
        lock.lock();
        try {
            due = running == call && beginSending(call);
        } finally {
            lock.unlock();
        }
        if (due) {
            send(call);
        }
    }

    /// Ends the lease for its user: from now on every call is refused. A call that runs goes on.
    ///
    /// @return whether no call is running, so that the connection may be taken
    boolean seal() {
        lock.lock();
        try {
            sealed = true;
            cancelledOrSealed.signalAll();
            return running == null;
        } finally {
            lock.unlock();
        }
    }
}
