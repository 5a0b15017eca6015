package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import dev.tenure.core.Probe;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.testkit.internal.engine.Broken;
import dev.tenure.testkit.internal.engine.Clock;
import dev.tenure.testkit.internal.engine.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The outside of a scenario: clock, sockets, files, pools, a database, and whatever is tracked. Each
/// fake counts by itself what is open, fires points around its effects, and refuses what the real thing
/// would refuse.
///
/// **Owner:** the run. **Ends:** with it; what is still open then is a failure. **Threads:** those of
/// the scenario, one at a time. **Limits:** as many runs as the sweep has share nothing but, for the
/// check afterwards, one world.
public final class World {
    private static final Set<String> OPENINGS = Set.of("connect", "create", "lease", "begin", "track");

    private final Run run;
    private final Map<Object, Object> parts;
    private final List<Runnable> checks;
    private final List<Runnable> afterwards = new ArrayList<>(0);
    private final Ticker ticker;
    private final Set<Throwable> handled = new HashSet<>(0);

    World(Run run) {
        this(run, new HashMap<>(4), new ArrayList<>(0), new Ticker());
    }

    private World(Run run, Map<Object, Object> parts, List<Runnable> checks, Ticker ticker) {
        this.run = run;
        this.parts = parts;
        this.checks = checks;
        this.ticker = ticker;
    }

    /// The same fakes, for a clean run after a fault.
    World in(Run next) {
        return new World(next, parts, checks, ticker);
    }

    // ---- time ----

    /// The clock of the run. It moves only when all threads wait, to the next instant somebody waits
    /// for.
    ///
    /// @return the same one at every call
    public FakeClock clock() {
        return ticker.clock();
    }

    /// Waits on the virtual clock.
    ///
    /// @param time how long
    /// @throws InterruptedException if the thread is interrupted
    public void pause(Duration time) throws InterruptedException {
        Thread waiter = Thread.currentThread();
        Deadline end = clock().deadline(time);
        while (!end.passed()) {
            if (Thread.interrupted()) {
                throw new InterruptedException("interrupted in a pause of " + time);
            }
            if (!await("a pause of " + time.toMillis() + " ms", waiter::isInterrupted, end)) {
                throw new IllegalStateException(
                        "a pause of %s on thread '%s', which the scenario did not start through the core"
                                .formatted(time, waiter.getName()));
            }
        }
    }

    void hang(Duration time) {
        Deadline end = clock().deadline(time);
        boolean controlled = true;
        while (controlled && !end.passed()) {
            controlled = await("the end of a hanging release", () -> false, end);
        }
    }

    /// Waits, as a controlled thread does: others go on meanwhile. Returns also for no reason; look
    /// again.
    ///
    /// @param what what is waited for
    /// @param ready whether it is there; asked by any thread
    /// @param deadline the end of the wait
    /// @return false on a thread that is not controlled: nothing was waited for
    public boolean await(String what, BooleanSupplier ready, Deadline deadline) {
        return current().await(what, ready, deadline);
    }

    /// Threads as the core starts them, closers as virtual ones, which are faster here.
    ///
    /// @return for [Supervisor.Options]
    public Threads threads() {
        return VirtualThreads.INSTANCE;
    }

    /// What a supervisor of the scenario should run with: [#threads()] and [#clock()].
    ///
    /// @return the options
    public Supervisor.Options options() {
        return Supervisor.Options.DEFAULT.with(threads()).with(clock());
    }

    // ---- fakes ----

    /// Opens a connection to a peer.
    ///
    /// @param peer its name
    /// @return an open socket, to be closed
    /// @throws java.io.IOException if a fault says so
    public FakeSocket socket(String peer) throws java.io.IOException {
        return FakeSocket.connect(this, peer);
    }

    /// The file system.
    ///
    /// @return the same one at every call
    public FakeFiles files() {
        return part(FakeFiles.class, FakeFiles::new);
    }

    /// A pool of connections.
    ///
    /// @param name for reports
    /// @param capacity how many there are
    /// @return the same one for the same name
    public FakePool pool(String name, int capacity) {
        return part(List.of(FakePool.class, name), world -> new FakePool(world, name, capacity));
    }

    /// A transactional store.
    ///
    /// @return the same one at every call
    public FakeDatabase database() {
        return part(FakeDatabase.class, FakeDatabase::new);
    }

    /// Watches a closeable of your own: that it is closed, once, by a close that is not cut short, and
    /// not used later.
    ///
    /// @param <T> its type
    /// @param value the closeable; close and use it through what is returned
    /// @param name for reports
    /// @return stands for it
    public <T extends AutoCloseable> Tracked<T> track(T value, String name) {
        return Tracked.of(this, value, name);
    }

    /// A fake of your own, one for each world.
    ///
    /// @param <T> its type
    /// @param key tells it from others
    /// @param maker makes it at first use
    /// @return the same one for an equal key
    @SuppressWarnings("unchecked") // only its own maker fills a key
    public <T> T part(Object key, Function<World, T> maker) {
        Object known = parts.get(key);
        if (known == null) {
            known = maker.apply(this);
            parts.put(key, known);
        }
        return (T) known;
    }

    // ---- for fakes of your own ----

    /// Enters something that must end. Fire a point before and after it through [Probe#before] and
    /// [Probe#after].
    ///
    /// @param resource what it is called in reports
    /// @param value the thing itself
    public void opened(String resource, Object value) {
        current().book().effect(resource, value, current().actor());
        current().note("opened ", resource);
    }

    /// Enters something that must end, and that no handle will stand for: a row, a message, a connection of a loop.
    ///
    /// @param resource what it is called in reports
    /// @param value the thing itself
    /// @param owner who has to end it, for the owner table
    public void opened(String resource, Object value, String owner) {
        opened(resource, value);
        current().book().effectOwned(value, owner);
    }

    /// Enters that somebody else has to end it now.
    ///
    /// @param value the thing, opened with an owner
    /// @param owner who has it from now on
    /// @param event by what it changed its owner
    public void passed(Object value, String owner, String event) {
        current().book().effectPassed(value, owner, event);
    }

    /// Enters that it ended.
    ///
    /// @param value the thing
    /// @param how what was done, for the owner table
    /// @return false if it was not open
    public boolean ended(Object value, String how) {
        return ended(value, how, true);
    }

    /// Enters that it ended by itself, as a socket does that is reset; its owner may still close it.
    ///
    /// @param value the thing
    /// @param how what happened
    /// @return false if it was not open
    public boolean lost(Object value, String how) {
        return ended(value, how, false);
    }

    private boolean ended(Object value, String how, boolean byOwner) {
        Run now = current();
        if (byOwner && Thread.currentThread().isInterrupted() && !now.book().mayInterrupt()) {
            violated(new Violation(
                    6,
                    7,
                    value.toString(),
                    value + " was ended with an interrupt pending",
                    "mask what ends things: let a scope release it"));
        }
        boolean wasOpen = now.book().effectEnded(value, how, byOwner, now.actor());
        now.note(how + ' ', wasOpen ? "done" : "was done before");
        return wasOpen;
    }

    /// Enters that others can see it now: it is no longer ours.
    ///
    /// @param value the thing
    public void published(Object value) {
        current().book().effectPublished(value);
    }

    /// Reports a broken law.
    ///
    /// @param violation which, and what to do about it
    public void violated(Violation violation) {
        current()
                .book()
                .violate(new Broken(
                        violation.oracle(),
                        violation.law(),
                        violation.resource(),
                        violation.what(),
                        violation.advice()));
    }

    /// Reports a use after the end, unless a thread outside the scenario ended it.
    ///
    /// @param resource what it is about
    /// @param what what happened, as a sentence
    public void usedAfterItsEnd(String resource, String what) {
        if (!current().book().mayEndForeign()) {
            violated(new Violation(
                    4, 2, resource, what, "use it before its end: inside the block or scope that ends it"));
        }
    }

    /// Says that the scenario dealt with a failure, which therefore need not come out of it.
    ///
    /// @param failure what was caught
    public void handled(Throwable failure) {
        handled.add(failure);
    }

    /// Runs when the scenario has returned or thrown, on its thread, newest first; part of the run, as a last
    /// `finally`.
    ///
    /// @param step what ends what a part of the world has opened
    public void afterwards(Runnable step) {
        afterwards.addFirst(step);
    }

    @Nullable
    Throwable runAfterwards(@Nullable Throwable failure) {
        Throwable first = failure;
        for (var step : List.copyOf(afterwards)) {
            try {
                step.run();
            } catch (Throwable later) {
                first = joined(first, later);
            }
        }
        return first;
    }

    @SuppressWarnings("ReferenceEquality") // the same failure, not an equal one
    private static Throwable joined(@Nullable Throwable first, Throwable later) {
        if (first == null || first == later) {
            return later;
        }
        first.addSuppressed(later);
        return first;
    }

    /// Runs after each run, when everything has ended: a check of a fake of your own.
    ///
    /// @param check calls [#violated]
    public void atTheEnd(Runnable check) {
        checks.add(check);
    }

    // ---- for the sweep ----

    /// The run that uses these fakes now: they outlive the run that made them, in the check afterwards.
    private Run current() {
        Run now = KitProbes.KIT.run();
        return now == null ? run : now;
    }

    Clock ticker() {
        return ticker;
    }

    boolean refuses(String kind) {
        return opens(kind);
    }

    boolean opens(String kind) {
        return OPENINGS.contains(kind);
    }

    boolean isInterruptedByOthers() {
        return current().book().mayInterrupt();
    }

    Set<Throwable> handledFailures() {
        return handled;
    }

    void checkAll() {
        for (var check : List.copyOf(checks)) {
            check.run();
        }
    }

    /// Opens something between its two points; a fault after it undoes it, as a constructor that fails
    /// does.
    <T> T open(String kind, String resource, T value) {
        Probe.before(kind, resource);
        opened(resource, value);
        try {
            Probe.after(kind, resource);
        } catch (Throwable fault) {
            lost(value, "undone");
            throw fault;
        }
        return value;
    }

    /// The clock, made at first use.
    private static final class Ticker implements Clock {
        private @Nullable FakeClock clock;

        FakeClock clock() {
            FakeClock made = clock;
            if (made == null) {
                made = new FakeClock();
                made.listener(Ticker::armed);
                clock = made;
            }
            return made;
        }

        private static void armed(long when) {
            Run now = KitProbes.KIT.run();
            if (now != null) {
                now.armed(when);
            }
        }

        @Override
        public long nanos() {
            return clock().nanos();
        }

        @Override
        public OptionalLong untilNextAlarm() {
            FakeClock made = clock;
            return made == null ? OptionalLong.empty() : made.untilNextAlarm();
        }

        @Override
        public void advance(long nanos) {
            clock().advance(Duration.ofNanos(nanos));
        }

        @Override
        public boolean owns(Deadline deadline) {
            return clock != null && !deadline.isNone() && deadline.source() == clock;
        }
    }

    /// All threads virtual.
    private enum VirtualThreads implements Threads {
        INSTANCE;

        @Override
        public Thread startVirtual(String name, Runnable body) {
            return Threads.system().startVirtual(name, body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            return Threads.system().startVirtual(name, body);
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return Threads.system().unstartedPlatform(name, body);
        }
    }
}
