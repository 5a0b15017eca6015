package dev.tenure.host;

import dev.tenure.core.Deadline;
import dev.tenure.core.Reason;
import dev.tenure.host.Activity.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Something that is opened at its first use, closed when the host's policy says so, and opened again at the next
/// use.
///
/// **Owner:** the host, from the end of its opening on: one registration for each time it is opened. **Ends:** at the
/// stop of a `PERSISTENT` host; at the end of the activity in which it was opened, after its background work, in a
/// `REQUEST_ISOLATED` one. **States:**
/// ```
/// CLOSED --get()--> OPEN --cleanup of its owner--> CLOSED
/// ```
/// **Threads:** any; two that come first open one. **Fails:** as opening does; it is closed then, and the next use
/// tries again. **Source:** design 4, S1, S2.
///
/// @param <T> what is opened
public final class Reopenable<T> {
    /// Ends a value, once.
    ///
    /// @param <T> the value
    @FunctionalInterface
    public interface Closing<T> {
        /// Ends it.
        ///
        /// @param value what was opened, or lent
        /// @throws Exception is recorded
        void close(T value) throws Exception;
    }

    /// Takes something out of an open value, such as a connection from a pool.
    ///
    /// @param <T> the value
    /// @param <L> what is taken
    @FunctionalInterface
    public interface Lending<T, L> {
        /// Takes it.
        ///
        /// @param from the open value
        /// @return what was taken
        /// @throws Exception nothing was taken
        L lend(T from) throws Exception;
    }

    /// What an activity has on loan.
    ///
    /// **Owner:** the activity: its cleanup gives back what nobody did. **Ends:** once, by [#close()] or that
    /// cleanup, which is then a failure that names the lender. **Threads:** any.
    ///
    /// @param <L> what is lent
    public static final class Loan<L> implements AutoCloseable {
        private final String what;
        private final Closing<? super L> giveBack;

        // Guarded by this.
        private @Nullable L value;

        private Loan(String what, Closing<? super L> giveBack) {
            this.what = what;
            this.giveBack = giveBack;
        }

        private synchronized void taken(L lent) {
            value = lent;
        }

        private synchronized Optional<L> take() {
            var taken = Optional.ofNullable(value);
            value = null;
            return taken;
        }

        /// What is lent.
        ///
        /// @return it
        /// @throws IllegalStateException once it was given back
        public synchronized L get() {
            L lent = value;
            if (lent == null) {
                throw new IllegalStateException(what + " was used after it had been given back");
            }
            return lent;
        }

        /// Gives it back. Does nothing a second time.
        ///
        /// @throws IllegalStateException with what giving back failed with
        @Override
        public void close() {
            try {
                end();
            } catch (Exception failure) {
                throw unchecked(what + " could not be given back", failure);
            }
        }

        private boolean end() throws Exception {
            var taken = take();
            if (taken.isPresent()) {
                giveBack.close(taken.get());
            }
            return taken.isPresent();
        }

        private void fallBack(String activity) throws Exception {
            if (end()) {
                throw new IllegalStateException("%s was not given back by activity '%s', so its cleanup did: %s"
                        .formatted(what, activity, "close the loan where it is used"));
            }
        }
    }

    /// Who is given the cleanup of an opened value; answers with its entry in an activity, if it is in one.
    @FunctionalInterface
    private interface Filing {
        Optional<Entry> file(String what, Cleanup cleanup);
    }

    private final String name;
    private final Callable<? extends T> open;
    private final Closing<? super T> closing;
    private final Filing filing;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private @Nullable T value;
    private Optional<Entry> entry = Optional.empty();

    private Reopenable(String name, Callable<? extends T> open, Closing<? super T> closing, Filing filing) {
        this.name = name;
        this.open = open;
        this.closing = closing;
        this.filing = filing;
    }

    /// Something that is opened and closed by code of the application.
    ///
    /// @param <T> what is opened
    /// @param host decides by its policy when it is closed
    /// @param name for reports
    /// @param open opens it; if it throws, it has left nothing open
    /// @param closing closes it
    /// @return closed, and nothing is registered
    public static <T> Reopenable<T> of(Host host, String name, Callable<? extends T> open, Closing<? super T> closing) {
        return new Reopenable<>(name, open, closing, host::file);
    }

    /// A component. A `PERSISTENT` host owns it from its first use on, as by [Host#own], except that a failure to
    /// open it does not roll the host back.
    ///
    /// @param <T> the component
    /// @param host decides by its policy when it is closed
    /// @param name for reports
    /// @param part opens nothing until then
    /// @return closed, and nothing is registered
    public static <T extends Component> Reopenable<T> of(Host host, String name, Part<T> part) {
        return host.policy() == DeploymentPolicy.PERSISTENT
                ? new Reopenable<>(name, () -> host.ownLate(part), _ -> {}, (_, _) -> Optional.empty())
                : new Reopenable<>(name, () -> host.openIsolated(part), Reopenable::retire, host::file);
    }

    private static void retire(Component component) throws Exception {
        var phase = Phase.DISPOSE_DEPENDENCIES;
        if (component.phases().contains(phase)) {
            component.enter(phase, new Opener.LateStop(Deadline.none(), Reason.of(Reason.Kind.CLOSE, "the activity")));
        }
        if (!component.holders().isEmpty()) {
            throw new IllegalStateException("%s is still in use: %s".formatted(component.name(), component.holders()));
        }
    }

    /// The open value; opens it if it is not open.
    ///
    /// @return it
    /// @throws HostStopping if the host has stopped
    /// @throws IllegalStateException with a checked failure of opening as its cause; an unchecked one is thrown
    /// unchanged
    public T get() {
        lock.lock();
        try {
            T present = value;
            return present == null ? opened() : present;
        } finally {
            lock.unlock();
        }
    }

    private T opened() {
        T fresh;
        try {
            fresh = open.call();
        } catch (Exception failure) {
            throw unchecked("'" + name + "' could not be opened", failure);
        }
        try {
            entry = filing.file(name, this::close);
        } catch (RuntimeException refused) {
            throw closed(fresh, refused);
        }
        value = fresh;
        return fresh;
    }

    private <X extends RuntimeException> X closed(T fresh, X refused) {
        try {
            closing.close(fresh);
        } catch (Exception | Error failure) {
            refused.addSuppressed(failure);
        }
        return refused;
    }

    /// Forgets the value before it is closed, so that whoever comes meanwhile opens another.
    private void close() throws Exception {
        T old;
        lock.lock();
        try {
            old = value;
            value = null;
            entry = Optional.empty();
        } finally {
            lock.unlock();
        }
        if (old != null) {
            closing.close(old);
        }
    }

    /// Whether it is open now.
    ///
    /// @return true from a use on until its cleanup begins
    public boolean isOpen() {
        lock.lock();
        try {
            return value != null;
        } finally {
            lock.unlock();
        }
    }

    /// Lends something out of it to an activity: its cleanup is registered before it is taken, and runs before this
    /// is closed.
    ///
    /// @param <L> what is lent
    /// @param to the activity
    /// @param what for reports, such as `connection`
    /// @param lending takes it
    /// @param giveBack gives it back
    /// @return the loan, to be closed where it is used
    public <L> Loan<L> lend(Activity to, String what, Lending<? super T, L> lending, Closing<? super L> giveBack) {
        var from = get();
        var loan = new Loan<L>("%s of '%s'".formatted(what, name), giveBack);
        to.cleanup(loan.what, () -> loan.fallBack(to.name()), pool());
        try {
            loan.taken(lending.lend(from));
        } catch (Exception failure) {
            throw unchecked(loan.what + " could not be lent", failure);
        }
        return loan;
    }

    private Entry[] pool() {
        lock.lock();
        try {
            return entry.stream().toArray(Entry[]::new);
        } finally {
            lock.unlock();
        }
    }

    private static RuntimeException unchecked(String what, Exception failure) {
        return switch (failure) {
            case RuntimeException e -> e;
            case IOException e -> new UncheckedIOException(what + ": " + e.getMessage(), e);
            case InterruptedException e -> {
                Thread.currentThread().interrupt();
                yield new IllegalStateException(what + ": interrupted", e);
            }
            default -> new IllegalStateException(what + ": " + failure.getMessage(), failure);
        };
    }
}
