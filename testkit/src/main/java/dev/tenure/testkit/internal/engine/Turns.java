package dev.tenure.testkit.internal.engine;

import dev.tenure.core.Deadline;
import dev.tenure.core.Task;
import dev.tenure.core.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The threads of a [Run], and the token that passes among them.
abstract sealed class Turns permits Run {
    private final Schedule schedule;
    final Book book;
    final boolean told;
    final Actor main;

    private volatile Actor[] actors;
    volatile Actor current;
    private volatile boolean abandoned;
    private @Nullable Clock clock;
    private int[] candidates = new int[8];
    final List<int[]> switches = new ArrayList<>(0);
    final List<String> events = new ArrayList<>(0);
    int unfinished = 1;
    int decisions;
    long hash = 1;
    long progress;
    boolean concurrent;
    private boolean stopped;

    @Nullable
    String stuck;

    Turns(Run.Setup setup, Schedule schedule, boolean told) {
        this.book = setup.book();
        this.schedule = schedule;
        this.told = told;
        this.main = new Actor(setup.root(), 0, null);
        main.thread = Thread.currentThread();
        main.begun = true;
        this.actors = new Actor[] {main};
        this.current = main;
    }

    /// Gives it a clock.
    ///
    /// @param virtual moved when all wait
    public void clock(Clock virtual) {
        clock = virtual;
    }

    /// The reading of the virtual clock.
    final long nanos() {
        return clock == null ? 0 : clock.nanos();
    }

    /// Whether the calling thread is the one that has the token.
    ///
    /// @return false for threads that are not controlled
    public boolean isControlled() {
        return current.thread == Thread.currentThread();
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
        var after = Arrays.copyOf(before, before.length + 1);
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
            if (actor.isFor(identity) && actor.claim()) {
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
        if (me.isFor(identity)) {
            end(me);
            return;
        }
        for (Actor actor : actors) {
            if (actor.isFor(identity) && !actor.done && actor.claim()) {
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
        Actor next = me.returnTo != null && !me.returnTo.done ? me.returnTo : next();
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

    final void maySwitch(Actor me) {
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
        checkInTime(me, what, deadline);
        if (told) {
            events.add("  " + me.path.text() + ": waits for " + what);
        }
        me.block(what, ready, deadline);
        Actor next;
        if (me.returnTo != null) {
            next = me.returnTo;
            me.returnTo = null;
        } else {
            next = next();
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

    /// Who waits for a deadline that is over looks once more, and then goes on.
    private void checkInTime(Actor me, String what, Deadline deadline) {
        if (!deadline.isNone() && deadline.passed() && me.lateAt == progress) {
            stop("%s waits for %s although the end of that wait has passed".formatted(me.path.text(), what));
            throw new Stopped();
        }
        me.lateAt = !deadline.isNone() && deadline.passed() ? progress : -1;
    }

    /// Who goes on when the present one cannot.
    private Actor next() {
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
            Actor timer = moveClock();
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

    private @Nullable Actor moveClock() {
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
        return timer(nearest);
    }

    private @Nullable Actor firstRunnable() {
        for (Actor actor : actors) {
            if (actor.isRunnable()) {
                return actor;
            }
        }
        return null;
    }

    private Actor timer(long nanos) {
        Clock virtual = Objects.requireNonNull(clock);
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

    /// Waits until every thread has ended.
    public void finish() {
        try {
            while (unfinished > 1) {
                await("the end of the scenario's tasks", () -> unfinished == 1, Deadline.none());
            }
        } catch (Stopped _) {
            drain();
        }
        if (clock != null && clock.untilNextAlarm().isPresent()) {
            book.violate(new Broken(
                    8, 2, "timer", "a timer is still armed at the end", "cancel the alarm when its purpose ends"));
        }
    }

    /// Looks for what is left. To be asked when the core tells nothing any more.
    ///
    /// @param survivors names of what may be left
    public void check(Set<String> survivors) {
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

    final void stop(String why) {
        if (!stopped) {
            stopped = true;
            stuck = why;
            book.violate(new Broken(
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
    static final class Stopped extends Error {
        private static final long serialVersionUID = 1L;

        Stopped() {
            super("the run was stopped: it is stuck", null, false, false);
        }
    }
}
