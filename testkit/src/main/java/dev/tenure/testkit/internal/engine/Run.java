package dev.tenure.testkit.internal.engine;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Task;
import dev.tenure.core.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One run of a scenario. One token passes among its threads; who has it runs, all others wait.
///
/// **Owner:** the sweep. **Ends:** when the scenario has returned and all its threads have ended, or
/// cannot. **Threads:** its controlled ones; calls of any other thread are not scheduled and meet no
/// fault.
public final class Run {
    private static final int STEPS_MAX = 200_000;

    private final Points points;
    private final Schedule schedule;
    private final Adversary adversary;
    private final Book book;
    private final long serial;
    private final Mode mode;

    private volatile Actor[] actors;
    private volatile Actor current;
    private volatile boolean abandoned;
    private final Actor main;
    private @Nullable Clock clock;
    private final List<int[]> switches = new ArrayList<>(0);
    private final List<String> events = new ArrayList<>(0);
    private int[] candidates = new int[8];
    private long first = -1;
    private long second = -1;
    private boolean firstFired;
    private boolean secondFired;
    private int unfinished = 1;
    private int decisions;
    private int steps;
    private long hash = 1;
    private long progress;
    private long lastPoint;
    private boolean concurrent;
    private boolean stopped;
    private @Nullable String stuck;

    /// What a run keeps.
    public enum Mode {
        /// Its hash and its violations.
        FAST,
        /// Also shows every point to the adversary.
        TRACED,
        /// Also every event as text.
        TOLD
    }

    /// A run that is about to begin on the calling thread.
    ///
    /// @param setup what it shares with the other runs of its sweep
    /// @param schedule who goes on
    /// @param adversary what happens at the targets
    /// @param mode what it keeps
    public Run(Setup setup, Schedule schedule, Adversary adversary, Mode mode) {
        this.points = setup.points();
        this.serial = setup.serial();
        this.book = setup.book();
        this.schedule = schedule;
        this.adversary = adversary;
        this.mode = mode;
        this.main = new Actor(setup.root(), 0, null);
        main.thread = Thread.currentThread();
        main.begun = true;
        this.actors = new Actor[] {main};
        this.current = main;
    }

    /// What the runs of a sweep share, and what is new for each.
    ///
    /// @param points the numbers of the points
    /// @param root the scenario's path
    /// @param book the ledger of this run
    /// @param serial the number of this run
    public record Setup(Points points, Path root, Book book, long serial) {}

    /// Plans where to strike.
    ///
    /// @param one the first target, -1 for none
    /// @param other the second, looked for once the first was hit
    public void aim(long one, long other) {
        first = one;
        second = other;
    }

    /// Gives it a clock.
    ///
    /// @param virtual moved when all wait
    public void clock(Clock virtual) {
        clock = virtual;
    }

    // ---- told by the core ----

    /// Whether the calling thread is the one that has the token.
    ///
    /// @return false for threads that are not controlled
    public boolean isControlled() {
        return current.thread == Thread.currentThread();
    }

    /// A point was reached.
    ///
    /// @param kind the transition
    /// @param resource the kind of resource
    /// @param side which side
    public void at(String kind, String resource, String side) {
        Actor me = current;
        if (me.thread != Thread.currentThread()) {
            return;
        }
        long point = me.path.next(serial, points.id(kind, resource, side));
        lastPoint = point;
        progress++;
        hash = hash * 0x9E3779B97F4A7C15L + point;
        if (++steps > STEPS_MAX) {
            stop("more than %d points: the scenario does not come to an end".formatted(STEPS_MAX));
            throw new Stopped();
        }
        book.at(point);
        if (mode == Mode.TOLD) {
            events.add(text(point));
        }
        if (me.atomic) {
            return;
        }
        if (mode == Mode.TRACED) {
            adversary.seen(this, point);
        }
        if (unfinished > 1) {
            maySwitch(me);
        }
        if (point == first && !firstFired) {
            firstFired = true;
            strike(me, point, false);
        } else if (point == second && firstFired && !secondFired) {
            secondFired = true;
            strike(me, point, true);
        }
    }

    private void strike(Actor me, long point, boolean other) {
        me.atomic = true;
        book.countInjection();
        try {
            adversary.strike(this, point, other);
        } finally {
            me.atomic = false;
        }
    }

    /// Something that must end was opened.
    ///
    /// @param kind as the core says
    /// @param name its label
    /// @param identity the thing
    /// @param owner what it is linked in
    /// @return false if that is no business of this run
    public boolean opened(String kind, String name, Object identity, @Nullable Object owner) {
        boolean ours = isControlled();
        if (!ours && (owner == null || book.find(owner) == null)) {
            return false;
        }
        book.opened(book.item(kind, name, identity, owner, ours ? current : null));
        note("opened " + kind + ' ', name, 1);
        return true;
    }

    /// A handle moved.
    ///
    /// @param from the dead one
    /// @param to the live one
    /// @param owner the taker
    /// @param event by what
    /// @return false if that is no business of this run
    public boolean moved(Object from, Object to, Object owner, String event) {
        if (!isControlled() && book.find(from) == null) {
            return false;
        }
        book.moved(from, to, owner, event, isControlled() ? current : null);
        note("moved by ", event, 2);
        return true;
    }

    /// Something ended.
    ///
    /// @param kind as announced
    /// @param name as announced
    /// @param identity the thing
    /// @param how as the core says
    /// @return false if that is no business of this run
    public boolean ended(String kind, String name, Object identity, String how) {
        if (!isControlled() && book.find(identity) == null) {
            return false;
        }
        book.ended(identity, how, isControlled() ? current : null);
        note("ended " + kind + ' ', name, how.hashCode());
        return true;
    }

    /// A close made its report.
    ///
    /// @param identity the owner
    /// @param report the report
    public void reported(Object identity, CloseReport report) {
        book.reported(identity, report);
    }

    /// Adds an event of a fake.
    ///
    /// @param what what happened
    /// @param name to what
    public void note(String what, String name) {
        note(what, name, 3);
    }

    private void note(String what, String name, int code) {
        progress++;
        hash = hash * 31 + code;
        if (mode == Mode.TOLD && isControlled()) {
            events.add("  " + current.path.text() + ": " + what + name);
        }
    }

    // ---- threads ----

    /// A controlled thread starts another.
    ///
    /// @param identity what it is for
    public void starting(Object identity) {
        if (!isControlled()) {
            return;
        }
        String name = identity instanceof Task<?> task ? task.name() : "closer";
        add(current, name, identity);
    }

    private Actor add(Actor parent, String name, @Nullable Object identity) {
        Actor[] before = actors;
        int nth = 1;
        for (Actor other : before) {
            if (other.path.isChild(parent.path, name)) {
                nth++;
            }
        }
        var actor = new Actor(parent.path.child(name, nth), before.length, identity);
        var after = java.util.Arrays.copyOf(before, before.length + 1);
        after[before.length] = actor;
        actors = after;
        unfinished++;
        concurrent = true;
        return actor;
    }

    /// A thread has begun; returns when it is its turn.
    ///
    /// @param identity as announced
    public void began(Object identity) {
        for (Actor actor : actors) {
            if (actor.identity == identity && actor.claim()) {
                actor.thread = Thread.currentThread();
                actor.awaitToken();
                book.began(identity, actor);
                return;
            }
        }
    }

    /// A thread is about to end, or was not started.
    ///
    /// @param identity as announced
    public void ending(Object identity) {
        Actor me = current;
        if (me.thread != Thread.currentThread()) {
            return;
        }
        if (me.identity == identity) {
            end(me);
            return;
        }
        for (Actor actor : actors) {
            if (actor.identity == identity && !actor.done && actor.claim()) {
                actor.done = true;
                unfinished--;
                return;
            }
        }
    }

    private void end(Actor me) {
        me.done = true;
        unfinished--;
        progress++;
        Actor next = me.returnTo != null && !me.returnTo.done ? me.returnTo : next(me);
        me.returnTo = null;
        current = next;
        next.resume();
    }

    /// Runs something on a thread of its own, from now until it ends or waits.
    ///
    /// @param name who it is
    /// @param body what it does
    public void aside(String name, Runnable body) {
        Actor me = current;
        Actor helper = add(me, name, body);
        helper.claim();
        helper.atomic = true;
        helper.returnTo = me;
        Threads.system().startVirtual(name, () -> {
            helper.thread = Thread.currentThread();
            helper.awaitToken();
            try {
                body.run();
            } finally {
                end(helper);
            }
        });
        pass(me, helper);
    }

    // ---- the token ----

    private void maySwitch(Actor me) {
        int step = decisions++;
        if (!schedule.looksAt(step)) {
            return;
        }
        int count = 0;
        reserve(actors.length);
        candidates[count++] = me.index;
        for (Actor other : actors) {
            if (other != me && other.isRunnable()) {
                candidates[count++] = other.index;
            }
        }
        if (count > 1) {
            int choice = schedule.choose(candidates, count, false, step);
            if (choice != 0) {
                switches.add(new int[] {step, choice});
                pass(me, actors[candidates[choice]]);
            }
        }
    }

    private void reserve(int count) {
        if (candidates.length < count) {
            candidates = new int[count * 2];
        }
    }

    private void pass(Actor me, Actor next) {
        hash = hash * 31 + next.index;
        current = next;
        next.resume();
        me.awaitToken();
    }

    /// Waits on behalf of the core, or of a fake.
    ///
    /// @param what what is waited for
    /// @param ready whether it is there
    /// @param deadline the end of the wait
    /// @return false if the calling thread is not controlled
    public boolean await(String what, BooleanSupplier ready, Deadline deadline) {
        Actor me = current;
        if (me.thread != Thread.currentThread()) {
            return false;
        }
        if (stopped) {
            throw new Stopped();
        }
        hash = hash * 31 + 7;
        if (mode == Mode.TOLD) {
            events.add("  " + me.path.text() + ": waits for " + what);
        }
        me.block(what, ready, deadline);
        Actor next;
        if (me.returnTo != null) {
            next = me.returnTo;
            me.returnTo = null;
        } else {
            next = next(me);
        }
        if (next != me) {
            pass(me, next);
        }
        me.unblock();
        if (stopped) {
            throw new Stopped();
        }
        return true;
    }

    /// Who goes on when the present one cannot.
    private Actor next(Actor me) {
        for (int look = 0; ; look++) {
            if (abandoned) {
                throw new Stopped();
            }
            int count = 0;
            reserve(actors.length);
            for (Actor actor : actors) {
                if (actor.isRunnable() || (stopped && !actor.done)) {
                    candidates[count++] = actor.index;
                }
            }
            if (count > 0) {
                return chosen(count);
            }
            Actor nudged = nudge();
            if (nudged != null) {
                return nudged;
            }
            Actor timer = moveClock(me);
            if (timer != null) {
                return timer;
            }
            if (!Foreign.waited(look, actors)) {
                stop("deadlock: " + whoWaits());
            }
        }
    }

    private Actor chosen(int count) {
        int step = decisions++;
        int choice = count == 1 ? 0 : schedule.choose(candidates, count, true, step);
        if (choice != 0) {
            switches.add(new int[] {step, choice});
        }
        return actors[candidates[choice]];
    }

    /// Everybody may look once more after each progress, as after a spurious wake-up.
    private @Nullable Actor nudge() {
        for (Actor actor : actors) {
            if (!actor.done && actor.nudgedAt != progress) {
                actor.nudgedAt = progress;
                return actor;
            }
        }
        return null;
    }

    private @Nullable Actor moveClock(Actor me) {
        Clock virtual = clock;
        if (virtual == null) {
            return null;
        }
        long nearest = virtual.untilNextAlarm().orElse(Long.MAX_VALUE);
        boolean alarm = nearest != Long.MAX_VALUE;
        for (Actor actor : actors) {
            if (!actor.done && actor.isBlocked() && virtual.owns(actor.deadline)) {
                nearest = Math.min(nearest, Math.max(1, actor.deadline.remainingNanos()));
            }
        }
        if (nearest == Long.MAX_VALUE) {
            return null;
        }
        progress++;
        if (!alarm || virtual.untilNextAlarm().orElse(Long.MAX_VALUE) > nearest) {
            virtual.advance(nearest);
            return firstRunnable();
        }
        return timer(me, nearest);
    }

    private @Nullable Actor firstRunnable() {
        for (Actor actor : actors) {
            if (actor.isRunnable()) {
                return actor;
            }
        }
        return null;
    }

    private Actor timer(Actor me, long nanos) {
        Clock virtual = java.util.Objects.requireNonNull(clock);
        Actor timer = add(main, "timer", this);
        timer.claim();
        Threads.system().startVirtual("timer", () -> {
            timer.thread = Thread.currentThread();
            timer.awaitToken();
            try {
                virtual.advance(nanos);
            } finally {
                end(timer);
            }
        });
        return timer;
    }

    // ---- the end ----

    /// Waits until every thread has ended, and checks that nothing is left.
    ///
    /// @param survivors names of what may be left
    public void finish(Set<String> survivors) {
        try {
            while (unfinished > 1) {
                await("the end of the scenario's tasks", () -> unfinished == 1, Deadline.none());
            }
        } catch (Stopped _) {
            drain();
        }
        if (clock != null && clock.untilNextAlarm().isPresent()) {
            book.violate(new Violation(
                    8, 2, "timer", "a timer is still armed at the end", "cancel the alarm when its purpose ends"));
        }
        if (stuck == null) {
            book.checkAllEnded(survivors);
        }
    }

    /// Lets every thread meet the end, a bounded number of times.
    private void drain() {
        for (int i = 0; i < 1_000 && unfinished > 1; i++) {
            for (Actor actor : actors) {
                if (actor != main && !actor.done) {
                    actor.returnTo = main;
                    pass(main, actor);
                }
            }
        }
    }

    /// Gives the run up, from a thread outside it.
    public void abandon() {
        abandoned = true;
    }

    private void stop(String why) {
        if (!stopped) {
            stopped = true;
            stuck = why;
            book.violate(new Violation(
                    11,
                    7,
                    "run",
                    why,
                    "whoever makes the condition true must wake the waiter, and every wait needs an end"));
        }
    }

    private String whoWaits() {
        var text = new StringBuilder();
        for (Actor actor : actors) {
            if (!actor.done) {
                text.append(text.isEmpty() ? "" : "; ")
                        .append(actor.path.text())
                        .append(" waits for ")
                        .append(actor.waitsFor)
                        .append(" and holds ")
                        .append(book.heldBy(actor));
            }
        }
        return text.toString();
    }

    /// Ends what a stuck run still does.
    private static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("the run was stopped: it is stuck", null, false, false);
        }
    }

    // ---- asked by the sweep ----

    /// The ledger.
    ///
    /// @return the run's own
    public Book book() {
        return book;
    }

    /// Who has the token.
    ///
    /// @return for the fakes
    public Actor actor() {
        return current;
    }

    /// The numbers of the points.
    ///
    /// @return those of the sweep
    public Points points() {
        return points;
    }

    /// A point for people.
    ///
    /// @param point the point
    /// @return such as `task: move/socket:before#2`
    public String text(long point) {
        return text(main.path, points, point);
    }

    /// A point for people.
    ///
    /// @param root any path of the sweep
    /// @param points the numbers
    /// @param point the point
    /// @return such as `task: move/socket:before#2`
    public static String text(Path root, Points points, long point) {
        var path = root.of(point);
        String who = path.names().isEmpty() ? "" : path.text() + ": ";
        int nth = Path.occurrence(point);
        return who + points.text(Path.key(point)) + (nth == 1 ? "" : "#" + nth);
    }

    /// The last point that was reached.
    ///
    /// @return the point
    public long lastPoint() {
        return lastPoint;
    }

    /// How many steps were taken; grows while the run lives.
    ///
    /// @return points so far
    public int steps() {
        return steps;
    }

    /// Whether the first target was hit.
    ///
    /// @return false if the point was not reached
    public boolean firstFired() {
        return firstFired;
    }

    /// Whether the second target was hit.
    ///
    /// @return false if the point was not reached
    public boolean secondFired() {
        return secondFired;
    }

    /// A number that two runs share only if their events are the same.
    ///
    /// @return the hash
    public long hash() {
        return hash;
    }

    /// Whether there was ever more than one thread.
    ///
    /// @return true if schedules differ
    public boolean isConcurrent() {
        return concurrent;
    }

    /// How many decisions were taken.
    ///
    /// @return points and waits
    public int decisions() {
        return decisions;
    }

    /// Whether the run could not go on, so that its threads may be left.
    ///
    /// @return true for a deadlock or a run without end
    public boolean isStuck() {
        return stuck != null;
    }

    /// Where somebody else went on than first in line.
    ///
    /// @return pairs of decision and choice
    public List<int[]> switches() {
        return switches;
    }

    /// All events, if they are told.
    ///
    /// @return in order
    public List<String> events() {
        return events;
    }

    /// The thread that has the token, for a watchdog.
    ///
    /// @return null before it began
    public @Nullable Thread running() {
        return current.thread;
    }
}
