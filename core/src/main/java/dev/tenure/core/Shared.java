package dev.tenure.core;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One value with one owner and many borrowers. It ends when its close has begun and the last borrower
/// is done with it: a dependency edge that beats every order of closing.
///
/// **Owner:** whoever made it. **Ends:** by [#close()]: borrowing is refused from then on, borrowers
/// are waited for, then the value is released. **States:** `lending -> closing -> closed`. **Threads:**
/// any; a [Borrowed] is its scope's. **Limits:** none on borrowers. **Fails:** [AdmissionClosed] for a
/// borrower that comes too late, `IllegalStateException` for a close from inside one's own borrow.
/// **Source:** ownership 4.5, H13.
///
/// @param <T> the value's type
public final class Shared<T> implements AutoCloseable {
    /// A value in use by one borrower.
    ///
    /// **Owner:** the scope it was borrowed into. **Ends:** with that scope, or by [#close()].
    /// **Fails:** [StaleHandle].
    ///
    /// @param <T> the value's type
    public static final class Borrowed<T> implements AutoCloseable {
        private final Shared<T> from;
        private final Scope into;
        private final long sinceNanos;
        private volatile @Nullable Owned<Borrowed<T>> handle;

        /// Links among the borrowers, guarded by the share.
        @Nullable
        Borrowed<T> previous;

        @Nullable
        Borrowed<T> next;

        private Borrowed(Shared<T> from, Scope into) {
            this.from = from;
            this.into = into;
            this.sinceNanos = from.share.options().timeSource().nanos();
        }

        /// The value, until it is given back.
        ///
        /// @return the value
        public T get() {
            Owned<Borrowed<T>> mine = handle;
            if (mine != null) {
                mine.get();
            }
            return from.handle.get();
        }

        /// Gives the value back. Does nothing the second time.
        @Override
        public void close() {
            Owned<Borrowed<T>> mine = handle;
            if (mine != null) {
                mine.close();
            }
        }

        private Holder holder() {
            long age = from.share.options().timeSource().nanos() - sinceNanos;
            Thread at = into.strand().thread;
            List<StackTraceElement> stack = at == null ? List.of() : List.of(at.getStackTrace());
            return new Holder(
                    "borrow of " + from.name(), into.toString(), Duration.ofNanos(age), Optional.empty(), stack);
        }

        @Override
        public String toString() {
            return "borrow of " + from.name();
        }
    }

    private final Share<T> share;
    private final ResourceType<Borrowed<T>> borrowedType;
    private final Owned<T> handle;

    // Guarded by this.
    private @Nullable CloseReport report;
    private final List<CloseReport.Failure> injected = new ArrayList<>(0);
    private boolean told;
    private boolean over;

    private Shared(ResourceType<T> type, Supervisor.Options options) {
        share = new Share<>(this, options);
        borrowedType = ResourceType.of("borrow of " + type.name(), this::giveBack);
        handle = share.node(type, null, Owned.State.RESERVED);
    }

    /// Shares a value from now on; whatever goes wrong, it is released or shared.
    ///
    /// @param <T> the value's type
    /// @param type the kind of resource
    /// @param value the value
    /// @return its share, to be closed
    public static <T> Shared<T> of(ResourceType<T> type, T value) {
        Shared<T> shared;
        try {
            Probe.before("own", type.name());
            shared = new Shared<>(type, Supervisor.Options.DEFAULT);
        } catch (Throwable refused) {
            Scope.releaseRefused(type, value, refused);
            throw refused;
        }
        shared.share.link(shared.handle);
        Probe.opened("shared", type.name(), shared, null);
        Probe.opened("owned", type.name(), shared.handle, shared);
        shared.handle.hold(value);
        return shared;
    }

    /// Borrows the value for as long as a scope lasts, or shorter. Throws [AdmissionClosed] once a
    /// close has begun.
    ///
    /// @param into a scope of this thread, which gives it back at the latest
    /// @return the value in use
    @CheckReturnValue
    public Borrowed<T> borrow(Scope into) {
        var borrowed = new Borrowed<T>(this, into);
        Owned<Borrowed<T>> mine = into.acquire(borrowedType, () -> {
            Probe.before("borrow", name());
            share.lend(borrowed);
            return borrowed;
        });
        borrowed.handle = mine;
        Probe.after("borrow", name());
        return borrowed;
    }

    private void giveBack(Borrowed<T> borrowed) {
        Probe.step("return", name(), "giving");
        if (share.giveBack(borrowed)) {
            handle.endAtLast().ifPresent(failure -> share.options().observer().failed(name(), failure));
            finish();
        }
        Probe.step("return", name(), "given");
    }

    /// Refuses borrowers, waits for those there are, however long it takes, and releases the value.
    /// Throws `IllegalStateException`, and changes nothing, if the caller itself borrows it;
    /// [CloseFailure] if the release failed.
    @Override
    public void close() {
        CloseReport done = close(Deadline.none());
        share.waiters.await(this::isOver, Deadline.none(), new Waiters.Patient("end of " + name()));
        boolean first;
        synchronized (this) {
            first = !told;
            told = true;
        }
        if (first && done.status() == CloseReport.Status.FAILED) {
            throw new CloseFailure("shared " + name(), done.failures());
        }
    }

    /// Refuses borrowers and waits for those there are no longer than the budget. If they overrun it,
    /// the report names them, and the last of them releases the value.
    ///
    /// @param budget bounds the wait, never the ownership
    /// @return the same report for every caller
    public CloseReport close(Deadline budget) {
        refuseInsideOwnRelease();
        CloseReport known = reportOrNull();
        if (known != null) {
            return known;
        }
        refuseInsideOwnBorrow();
        note(Probe.step("close", name(), "before"));
        share.beginClose();
        note(Probe.step("close", name(), "closing"));
        share.waiters.await(() -> share.borrowers() == 0, budget, new Waiters.Patient("borrowers of " + name()));
        if (share.endWait()) {
            handle.endAtLast();
            handle.awaitSettled(Deadline.none());
            return finish();
        }
        return overdue();
    }

    /// A caller that waits for the end of a release that it is inside of would wait for ever.
    private void refuseInsideOwnRelease() {
        if (handle.isReleasedBy(Thread.currentThread())) {
            throw new IllegalStateException(
                    name() + " is closed from inside its own release: return from the release instead");
        }
    }

    /// A caller that waits for a borrow of its own, or of a scope that waits for the caller, would wait
    /// for ever.
    private void refuseInsideOwnBorrow() {
        for (Borrowed<T> borrowed : share.live()) {
            if (borrowed.into.isAwaiting(Strand.ofThread())) {
                throw new IllegalStateException(
                        "%s is closed by thread '%s' from inside its own borrow, in %s: give it back first"
                                .formatted(name(), Thread.currentThread().getName(), borrowed.into));
            }
        }
    }

    /// What a test kit injects into a close is reported by it.
    private synchronized void note(@Nullable Throwable thrown) {
        if (thrown != null) {
            injected.add(new CloseReport.Failure(name(), thrown));
        }
    }

    private CloseReport finish() {
        var failures = new ArrayList<CloseReport.Failure>(0);
        synchronized (this) {
            failures.addAll(injected);
        }
        handle.failure().ifPresent(failure -> failures.add(new CloseReport.Failure(name(), failure)));
        var ended = CloseReport.ended(name(), 1, failures, Duration.ZERO);
        boolean first = remember(ended);
        if (first || Objects.requireNonNull(reportOrNull()).status() == CloseReport.Status.OVERDUE) {
            tellEnd(ended);
        }
        return Objects.requireNonNull(reportOrNull());
    }

    private void tellEnd(CloseReport ended) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        share.waiters.wake();
        Probe.ended("shared", name(), this, "CLOSED");
        Probe.reported(this, ended);
        Jfr.closed(ended);
    }

    private synchronized boolean isOver() {
        return over;
    }

    private CloseReport overdue() {
        var pending = share.live().stream().map(Borrowed::holder).toList();
        var late = new CloseReport(name(), CloseReport.Status.OVERDUE, 0, List.of(), pending, Duration.ZERO);
        if (remember(late)) {
            Probe.reported(this, late);
            Jfr.overdue(late);
            share.options().observer().overdue(late);
        }
        return Objects.requireNonNull(reportOrNull());
    }

    private synchronized boolean remember(CloseReport made) {
        if (report != null) {
            return false;
        }
        report = made;
        return true;
    }

    private synchronized @Nullable CloseReport reportOrNull() {
        return report;
    }

    /// How many borrow it.
    ///
    /// @return a snapshot
    public int borrowers() {
        return share.borrowers();
    }

    /// Whether it lends nothing more.
    ///
    /// @return true for ever once true
    public boolean isClosing() {
        return share.isClosing();
    }

    String name() {
        return handle.type().name();
    }

    @Override
    public String toString() {
        return "shared " + name() + (isClosing() ? " closing" : " lending") + ", " + borrowers() + " borrow it";
    }
}
