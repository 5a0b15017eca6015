package dev.tenure.testkit.internal.engine;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Scope;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One run of a scenario. One token passes among its threads; who has it runs, all others wait.
///
/// **Owner:** the sweep. **Ends:** when the scenario has returned and all its threads have ended, or
/// cannot. **Threads:** its controlled ones; calls of any other thread are not scheduled and meet no
/// fault.
public final class Run extends Turns {
    private static final int STEPS_MAX = 200_000;

    private final Points points;
    private final Adversary adversary;
    private final long serial;
    private final Mode mode;

    private long first = -1;
    private long second = -1;
    private boolean firstFired;
    private boolean secondFired;
    private boolean firstStays;
    private boolean secondStays;
    private boolean recurred;
    private int steps;
    private long lastPoint;

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
        super(setup, schedule, mode == Mode.TOLD);
        this.points = setup.points();
        this.serial = setup.serial();
        this.adversary = adversary;
        this.mode = mode;
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

    /// Plans that a target is hit again wherever its point comes again, in any task.
    ///
    /// @param one whether the first one is
    /// @param other whether the second one is
    public void stay(boolean one, boolean other) {
        firstStays = one;
        secondStays = other;
    }

    // ---- told by the core ----

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
        int key = points.id(kind, resource, side);
        long point = me.path.next(serial, key);
        lastPoint = point;
        progress++;
        hash = hash * 0x9E3779B97F4A7C15L + point;
        if (++steps > STEPS_MAX) {
            stop("more than %d points: the scenario does not come to an end".formatted(STEPS_MAX));
            throw new Stopped();
        }
        book.at(point);
        if (points.isAcquisition(key)) {
            me.inside = new ArrayList<>(2);
        } else if (points.isBodyReturned(key)) {
            me.bodyReturned = true;
        } else if (points.isRelease(key)) {
            me.endings.clear();
        }
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
        } else if (firstFired) {
            again(me, point, key);
        }
    }

    private void again(Actor me, long point, int key) {
        boolean isFirst = key == Path.key(first);
        recurred |= isFirst;
        if (isFirst && firstStays) {
            strike(me, point, false);
        } else if (secondStays && secondFired && key == Path.key(second)) {
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
        book.opened(book.item(new Told.Opened(kind, name, identity, owner), ours ? current : null));
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
        book.moved(new Told.Moved(from, to, owner, event), isControlled() ? current : null);
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
        book.reported(identity, report, nanos());
    }

    /// An alarm was armed. Where a scope joins its tasks, that is the budget of its close.
    ///
    /// @param when reading of the virtual clock
    public void armed(long when) {
        if (isControlled()) {
            Scope.innermost()
                    .filter(scope -> scope.phase() == Scope.Phase.JOINING)
                    .ifPresent(scope -> book.budget(scope, when));
        }
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

    /// Whether the point of the first target came again, so that a fault which stays would strike again.
    ///
    /// @return false if it was the last
    public boolean recurred() {
        return recurred;
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
