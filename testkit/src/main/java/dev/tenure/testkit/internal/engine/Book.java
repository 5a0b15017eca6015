package dev.tenure.testkit.internal.engine;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Outcome;
import dev.tenure.core.Owned;
import dev.tenure.core.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The ledger of one run: what is live, who owns it, and which laws were broken. Fed by the core and by
/// the fakes, so that neither can hide its own mistakes.
///
/// **Owner:** the run. **Threads:** any; each entry is atomic.
public final class Book extends Entries {

    /// An empty book.
    ///
    /// @param stats what the sweep learns
    /// @param pointText names a point for messages
    /// @param plain whether the run is without faults
    public Book(Map<String, Stat> stats, LongFunction<String> pointText, boolean plain) {
        super(stats, pointText, plain);
    }

    // ---- told by the fakes ----

    /// A fake produced something real.
    ///
    /// @param name what it is called
    /// @param value the thing itself
    /// @param actor who did it
    public synchronized void effect(String name, Object value, @Nullable Actor actor) {
        var item = new Item(
                new Told.Opened("effect", name, value, null), null, stats.computeIfAbsent(name, Stat::new), actor);
        item.unownedSince = -1;
        fresh = true;
        effects.put(value, item);
        order.add(item);
        if (actor != null && actor.inside != null) {
            actor.inside.add(item);
        }
    }

    /// A fake's thing was ended.
    ///
    /// @param value the thing
    /// @param how what was done, such as `close`
    /// @param byOwner false if it ended by itself
    /// @param actor who did it
    /// @return false if it was not open
    public synchronized boolean effectEnded(Object value, String how, boolean byOwner, Actor actor) {
        Item item = effects.remove(value);
        if (item == null) {
            return false;
        }
        item.ended = true;
        item.endedBy = how;
        item.stat.ended(Stat.End.RELEASED);
        if (byOwner || plain) {
            item.stat.cleanup(how, plain);
        }
        if (byOwner) {
            actor.endings.add(item);
        }
        Item handle = item.partner;
        if (byOwner && handle != null && isHeld(handle) && !handle.ended) {
            violate(
                    Rule.ENDED_ONCE,
                    item,
                    "was ended by '%s' although %s owns it".formatted(how, handle.label()),
                    "end it through its handle, or leave it to its scope");
        }
        if (handle != null && handle.ended && orphans > 0) {
            orphans--;
        }
        return true;
    }

    /// Something is no longer ours, since others can see it now.
    ///
    /// @param value the thing
    public synchronized void effectPublished(Object value) {
        Item item = effects.remove(value);
        if (item != null) {
            item.ended = true;
            item.stat.ended(Stat.End.PUBLISHED);
            item.stat.event("publish");
        }
    }

    /// Something has another owner now, though no handle stands for it.
    ///
    /// @param value the thing
    /// @param owner who has it
    /// @param event by what
    public synchronized void effectPassed(Object value, String owner, String event) {
        Item item = effects.get(value);
        if (item != null && plain) {
            item.stat.event(event);
            item.stat.owner(owner);
        }
    }

    /// Something has an owner, though no handle stands for it.
    ///
    /// @param value the thing
    /// @param owner who has it
    public synchronized void effectOwned(Object value, String owner) {
        Item item = effects.get(value);
        if (item != null && plain) {
            item.stat.owner(owner);
        }
    }

    /// Whether a third party's interrupt is part of the run.
    ///
    /// @return whether finalizers may meet one
    public boolean mayInterrupt() {
        return mayInterrupt;
    }

    /// Notes that a third party interrupts.
    public void interruptsFromNowOn() {
        mayInterrupt = true;
    }

    /// Whether a thread outside the scenario ends handles, so that their users may come too late.
    ///
    /// @return whether a use after the end is nobody's fault
    public boolean mayEndForeign() {
        return mayEndForeign;
    }

    /// Notes that a thread outside the scenario ends a handle.
    public void endsForeignFromNowOn() {
        mayEndForeign = true;
    }

    /// Whether this is the run that the owner table describes.
    ///
    /// @return whether it is the first one
    public boolean isPlain() {
        return plain;
    }

    /// Notes that a publish may be disturbed.
    public void unknownFromNowOn() {
        mayBeUnknown = true;
    }

    // ---- asked by the run and the sweep ----

    synchronized void at(long point) {
        at = point;
        if (fresh) {
            fresh = false;
            for (Item item : order) {
                if (item.unownedSince == -1) {
                    item.unownedSince = point;
                }
            }
        }
        if (orphans > 0) {
            orphans = 0;
            for (Item item : order) {
                Item handle = item.partner;
                if (item.isEffect() && !item.ended && handle != null && handle.ended) {
                    violate(
                            Rule.OWNED,
                            item,
                            "had no owner between %s and %s"
                                    .formatted(pointText.apply(item.unownedSince), pointText.apply(point)),
                            "end it in its release, or move its handle");
                }
            }
        }
    }

    /// Counts a point of a run without faults for what is live.
    public synchronized void countPoint() {
        for (Item item : order) {
            if (!item.ended) {
                item.stat.point();
            }
        }
    }

    /// Counts a fault for what is live.
    public synchronized void countInjection() {
        for (Item item : order) {
            if (!item.ended) {
                item.stat.injection();
            }
        }
    }

    /// The newest handle of a scope that another thread could end.
    ///
    /// @param scope the scope
    /// @param kept kinds that no other thread can have
    /// @return null if it owns none
    public synchronized @Nullable Owned<?> newestOf(Object scope, Set<String> kept) {
        Item owner = known.get(scope);
        List<Item> members = owner == null ? List.of() : owner.members;
        for (int i = members.size() - 1; i >= 0; i--) {
            Item member = members.get(i);
            if (member.isOwned()
                    && !kept.contains(member.name)
                    && isHeld(member)
                    && member.identity instanceof Owned<?> owned) {
                return owned;
            }
        }
        return null;
    }

    /// The outermost scope around a scope, across tasks.
    ///
    /// @param scope the scope
    /// @return itself if there is none around it
    public synchronized Object outermost(Object scope) {
        Object outermost = scope;
        for (Item at = known.get(scope); at != null; at = at.owner) {
            if (at.kind.equals("scope")) {
                outermost = at.identity;
            }
        }
        return outermost;
    }

    /// Live things of a kind.
    ///
    /// @param kind such as `supervisor`
    /// @return their identities, oldest first
    public synchronized List<Object> liveOf(String kind) {
        var found = new ArrayList<Object>(0);
        for (Item item : order) {
            if (!item.ended && item.kind.equals(kind)) {
                found.add(item.identity);
            }
        }
        return found;
    }

    /// Everything that is live, oldest first.
    ///
    /// @param survivors names of what may be
    synchronized void checkAllEnded(Set<String> survivors) {
        for (Item item : order) {
            if (plain && item.isEffect() && item.stat.owners().isEmpty()) {
                item.stat.owner("the code that opened it");
                if (isResult(item)) {
                    item.stat.product();
                }
            }
            if (item.ended || survivors.contains(item.name)) {
                continue;
            }
            item.stat.ended(Stat.End.LEAKED);
            if (item.isEffect()) {
                leaked(item);
            } else if (item.isOwned()) {
                violate(
                        Rule.RELEASED,
                        item,
                        "was never released: it is still owned by " + ownerOf(item),
                        "close its owner on every path, by try-with-resources");
            } else {
                violate(Rule.CLOSED, item, "was never closed", "close it on every path, by try-with-resources");
            }
        }
    }

    /// Whether a task that opened it succeeded with a closeable that nobody owns.
    private static boolean isResult(Item item) {
        Actor by = item.actor;
        return by != null
                && by.identity instanceof Task<?> task
                && task.isDone()
                && task.join(Deadline.none()) instanceof Outcome.Success<?> success
                && success.value() instanceof AutoCloseable
                && !(success.value() instanceof Owned<?>);
    }

    /// Whether it was on its way from a task to whoever waits for it, also if the task failed after its body's return.
    private static boolean isLostResult(Item item) {
        Actor by = item.actor;
        return isResult(item) || (by != null && by.bodyReturned && item.stat.isProduct());
    }

    private static String taskOf(Item item) {
        return item.actor != null && item.actor.identity instanceof Task<?> task ? task.name() : "";
    }

    private void leaked(Item item) {
        if (!item.wasOwned && isLostResult(item)) {
            violate(
                    Rule.TAKEN,
                    item,
                    "was produced by task '%s', and nobody took it".formatted(taskOf(item)),
                    "acquire it in the task's scope and return the handle: the core moves it to the forker");
        } else if (!item.wasOwned) {
            String since = pointText.apply(item.unownedSince);
            String until = item.stat.ownedFrom();
            violate(
                    Rule.EVER_OWNED,
                    item,
                    until.isEmpty()
                            ? "had no owner after %s and is still open at the end".formatted(since)
                            : "had no owner between %s and %s".formatted(since, until),
                    "register it in the step that opens it: scope.acquire(TYPE, how), "
                            + "or close it when what follows throws");
        } else {
            violate(Rule.ENDED, item, "is still open at the end", "end it in the release of its type, on every path");
        }
    }

    /// What each controlled thread holds, for a report of a deadlock.
    synchronized String heldBy(Actor actor) {
        var held = new ArrayList<String>(0);
        for (Item item : order) {
            if (!item.ended && item.actor == actor) {
                held.add(item.label());
            }
        }
        return held.isEmpty() ? "nothing" : String.join(", ", held);
    }

    /// The laws that were broken, in order.
    ///
    /// @return the violations so far
    public List<Broken> violations() {
        return violations;
    }

    /// The reports of closes.
    ///
    /// @return in order
    public List<CloseReport> reports() {
        return reports;
    }

    /// The tasks that were forked.
    ///
    /// @return in order
    public List<Object> tasks() {
        return tasks;
    }
}
