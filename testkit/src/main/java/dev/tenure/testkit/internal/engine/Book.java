package dev.tenure.testkit.internal.engine;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Owned;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The ledger of one run: what is live, who owns it, and which laws were broken. Fed by the core and by
/// the fakes, so that neither can hide its own mistakes.
///
/// **Owner:** the run. **Threads:** any; each entry is atomic.
public final class Book {
    private final Map<String, Stat> stats;
    private final LongFunction<String> pointText;
    private final IdentityHashMap<Object, Item> known = new IdentityHashMap<>();
    private final List<Item> homeless = new ArrayList<>(0);
    private final IdentityHashMap<Object, Item> effects = new IdentityHashMap<>();
    private final List<Item> order = new ArrayList<>();
    private final List<Violation> violations = new ArrayList<>(0);
    private final List<CloseReport> reports = new ArrayList<>(2);
    private final List<Object> tasks = new ArrayList<>(2);
    private final boolean plain;
    private int orphans;
    private boolean fresh;
    private boolean mayEndForeign;
    private boolean mayInterrupt;
    private boolean mayBeUnknown;
    private long at;

    /// An empty book.
    ///
    /// @param stats what the sweep learns
    /// @param pointText names a point for messages
    /// @param plain whether the run is without faults
    public Book(Map<String, Stat> stats, LongFunction<String> pointText, boolean plain) {
        this.stats = stats;
        this.pointText = pointText;
        this.plain = plain;
    }

    // ---- told by the core ----

    synchronized void opened(Item item) {
        known.put(item.identity, item);
        order.add(item);
        Item owner = item.owner;
        if (owner != null) {
            owner.adopt(item);
        }
        if (!homeless.isEmpty() && !item.isOwned()) {
            house(item);
        }
        if (item.kind.equals("task")) {
            tasks.add(item.identity);
        }
        if (item.isOwned()) {
            hold(item);
        }
    }

    /// A handle may be moved into the scope of a task that is announced a little later.
    private void house(Item owner) {
        for (Item item : List.copyOf(homeless)) {
            if (item.awaitedOwner == owner.identity) {
                homeless.remove(item);
                item.owner = owner;
                owner.adopt(item);
                noteMove(item, "fork");
            }
        }
    }

    /// A thread of a task has begun: what was opened for it is its own.
    synchronized void began(@Nullable Object identity, Actor actor) {
        Item task = identity == null ? null : known.get(identity);
        if (task == null || !task.kind.equals("task")) {
            return;
        }
        task.actor = actor;
        for (Item member : task.members) {
            member.actor = actor;
            for (Item given : member.members) {
                given.foreign = false;
            }
        }
    }

    /// An entry for something that was opened.
    Item item(String kind, String name, Object identity, @Nullable Object owner, @Nullable Actor actor) {
        Item entered = owner == null ? null : find(owner);
        Stat stat = stats.computeIfAbsent(name, Stat::new);
        var item = new Item(kind, name, identity, entered, stat, actor);
        if (plain && item.isOwned()) {
            stat.owner(ownerOf(item));
        }
        return item;
    }

    synchronized @Nullable Item find(Object identity) {
        return known.get(identity);
    }

    private void hold(Item handle) {
        if (!(handle.identity instanceof Owned<?> owned) || owned.state() != Owned.State.HELD) {
            return;
        }
        Object value = owned.get();
        Object inner =
                value instanceof Staged<?> staged && staged.state() == Staged.State.STAGED ? staged.get() : value;
        Item effect = effects.get(inner);
        if (effect == null) {
            return;
        }
        Item other = effect.partner;
        if (other != null && !other.ended) {
            violate(
                    3,
                    1,
                    effect,
                    "was owned twice: by %s and by %s".formatted(ownerOf(other), ownerOf(handle)),
                    "register a value once, and move its handle to pass it on");
        }
        effect.partner = handle;
        handle.partner = effect;
        if (effect.wasOwned && orphans > 0) {
            orphans--;
        }
        effect.wasOwned = true;
        if (plain) {
            effect.stat.owner(ownerOf(handle));
            effect.stat.ownedFrom(pointText.apply(at));
        }
    }

    synchronized void moved(Object from, Object to, Object owner, String event, @Nullable Actor actor) {
        Item item = known.remove(from);
        if (item == null || item.ended) {
            violate(new Violation(
                    3,
                    1,
                    event,
                    "a handle that nobody owned was moved by " + event,
                    "the core lost it: report this with its token"));
            return;
        }
        Item before = item.owner;
        if (before != null) {
            before.dismiss(item);
        }
        Item after = find(owner);
        item.identity = to;
        item.owner = after;
        item.foreign = after != null && after.actor != actor;
        if (known.put(to, item) != null) {
            violate(3, 1, item, "is owned twice after " + event, "the core mixed up two handles: report this");
        }
        if (after != null) {
            after.adopt(item);
            noteMove(item, event);
        } else {
            item.awaitedOwner = owner;
            homeless.add(item);
        }
    }

    private void noteMove(Item item, String event) {
        item.stat.event(event);
        if (plain) {
            item.stat.owner(ownerOf(item));
        }
        Item effect = item.partner;
        if (effect != null) {
            effect.stat.event(event);
            if (plain) {
                effect.stat.owner(ownerOf(item));
            }
        }
    }

    private static String ownerOf(Item item) {
        Item owner = item.owner;
        return owner == null ? "nobody" : owner.label();
    }

    synchronized void ended(Object identity, String how, @Nullable Actor actor) {
        Item item = known.get(identity);
        if (item == null || item.ended) {
            if (item != null || identity instanceof Owned<?>) {
                String what = item == null ? "was never announced, but ended as " : "ended a second time, as ";
                violate(new Violation(
                        2,
                        2,
                        String.valueOf(identity),
                        identity + " " + what + how,
                        "only the core ends handles: report this with its token"));
            }
            return;
        }
        item.ended = true;
        Item owner = item.owner;
        if (item.isOwned()) {
            endedHandle(item, how, actor);
        } else if (!item.members.isEmpty()) {
            violate(
                    2,
                    2,
                    item,
                    "closed while it still owned " + item.members.getFirst().label(),
                    "an owner reports closed only after everything it owns has ended");
        }
        if (owner != null) {
            owner.dismiss(item);
        }
    }

    private void endedHandle(Item item, String how, @Nullable Actor actor) {
        boolean released = how.equals("RELEASED") || how.equals("FAILED");
        noteEnd(item, how);
        if (how.equals("UNKNOWN") && !mayBeUnknown) {
            violate(
                    7,
                    8,
                    item,
                    "its publish ended as UNKNOWN although nothing disturbed it",
                    "throw NotPublished where nothing was published, return where it was");
        }
        Item owner = item.owner;
        if (released && owner != null) {
            checkOrder(item, owner, actor);
        }
        Item effect = item.partner;
        if (effect == null || effect.ended) {
            return;
        }
        if (released) {
            effect.unownedSince = at;
            orphans++;
            violate(
                    1,
                    2,
                    effect,
                    "is still open after its release has ended as " + how,
                    "let the release of '%s' end it on every path".formatted(item.name));
        } else {
            effect.ended = true;
            effects.remove(effect.identity);
            effect.stat.ended(how.equals("PUBLISHED") ? Stat.End.PUBLISHED : Stat.End.UNKNOWN);
        }
    }

    private void noteEnd(Item item, String how) {
        item.stat.ended(
                switch (how) {
                    case "RELEASED" -> Stat.End.RELEASED;
                    case "PUBLISHED" -> Stat.End.PUBLISHED;
                    case "FAILED" -> Stat.End.FAILED;
                    case "UNKNOWN" -> Stat.End.UNKNOWN;
                    default -> Stat.End.NONE;
                });
        if (plain) {
            item.stat.cleanup(how.equals("PUBLISHED") ? "published" : "release, masked");
        }
    }

    private void checkOrder(Item item, Item owner, @Nullable Actor actor) {
        if (!(owner.identity instanceof Scope scope) || scope.phase() != Scope.Phase.RELEASING) {
            return;
        }
        owner.releasedByClose++;
        if (owner.actor != actor) {
            owner.releasedByOthers++;
            return;
        }
        if (item.foreign) {
            return;
        }
        if (owner.liveTasks > 0) {
            violate(
                    5,
                    5,
                    item,
                    "was released while a task of its scope '%s' still ran".formatted(owner.name),
                    "join tasks before releasing what they use");
        }
        for (int i = owner.members.size() - 1; i >= 0 && owner.members.get(i) != item; i--) {
            Item newer = owner.members.get(i);
            if (newer.isOwned() && !newer.foreign && isHeld(newer)) {
                violate(
                        5,
                        5,
                        item,
                        "was released before %s, which is newer".formatted(newer.label()),
                        "release newest first: a later resource may use an earlier one");
                return;
            }
        }
    }

    private static boolean isHeld(Item handle) {
        return handle.identity instanceof Owned<?> owned && owned.state() == Owned.State.HELD;
    }

    synchronized void reported(Object identity, CloseReport report) {
        reports.add(report);
        Item owner = known.get(identity);
        if (owner == null) {
            return;
        }
        boolean overdue = report.status() == CloseReport.Status.OVERDUE;
        if (!overdue && !owner.members.isEmpty()) {
            violate(
                    10,
                    10,
                    owner,
                    "reported %s while it still owned %s"
                            .formatted(report.status(), owner.members.getFirst().label()),
                    "a report is made when everything has ended");
        }
        boolean tooFew = report.released() < owner.releasedByClose - owner.releasedByOthers;
        boolean tooMany = report.released() > owner.releasedByClose;
        if (!overdue && owner.kind.equals("scope") && owner.members.isEmpty() && (tooFew || tooMany)) {
            violate(
                    10,
                    10,
                    owner,
                    "reported %d releases, the ledger saw %d".formatted(report.released(), owner.releasedByClose),
                    "report what was done, once each");
        }
        if ((report.status() == CloseReport.Status.FAILED) == report.failures().isEmpty() && !overdue) {
            violate(
                    10,
                    10,
                    owner,
                    "reported %s with %d failures"
                            .formatted(report.status(), report.failures().size()),
                    "FAILED means at least one failure, CLEAN none");
        }
    }

    // ---- told by the fakes ----

    /// A fake produced something real.
    ///
    /// @param name what it is called
    /// @param value the thing itself
    /// @param actor who did it
    public synchronized void effect(String name, Object value, @Nullable Actor actor) {
        var item = new Item("effect", name, value, null, stats.computeIfAbsent(name, Stat::new), actor);
        item.unownedSince = -1;
        fresh = true;
        effects.put(value, item);
        order.add(item);
        if (plain) {
            item.stat.owner("the code that opened it");
        }
    }

    /// A fake's thing was ended.
    ///
    /// @param value the thing
    /// @param how what was done, such as `close`
    /// @param byOwner false if it ended by itself
    /// @return false if it was not open
    public synchronized boolean effectEnded(Object value, String how, boolean byOwner) {
        Item item = effects.remove(value);
        if (item == null) {
            return false;
        }
        item.ended = true;
        item.stat.ended(Stat.End.RELEASED);
        if (plain) {
            item.stat.cleanup(how);
        }
        Item handle = item.partner;
        if (byOwner && handle != null && isHeld(handle) && !handle.ended) {
            violate(
                    2,
                    2,
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
        }
    }

    /// A fake saw a law broken.
    ///
    /// @param violation which one
    public synchronized void violate(Violation violation) {
        if (violations.size() < 64) {
            violations.add(violation);
        }
    }

    private void violate(int oracle, int law, Item item, String what, String advice) {
        violate(new Violation(oracle, law, item.name, item.label() + ' ' + what, advice));
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
                            3,
                            1,
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
    /// @return null if it owns none
    public synchronized @Nullable Owned<?> newestOf(Object scope) {
        Item owner = known.get(scope);
        for (int i = owner == null ? -1 : owner.members.size() - 1; i >= 0; i--) {
            Item member = owner.members.get(i);
            if (member.isOwned() && isHeld(member) && member.identity instanceof Owned<?> owned) {
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
    synchronized void checkAllEnded(java.util.Set<String> survivors) {
        for (Item item : order) {
            if (item.ended || survivors.contains(item.name)) {
                continue;
            }
            item.stat.ended(Stat.End.LEAKED);
            if (item.isEffect()) {
                leaked(item);
            } else if (item.isOwned()) {
                violate(
                        1,
                        2,
                        item,
                        "was never released: it is still owned by " + ownerOf(item),
                        "close its owner on every path, by try-with-resources");
            } else {
                violate(8, 2, item, "was never closed", "close it on every path, by try-with-resources");
            }
        }
    }

    private void leaked(Item item) {
        if (!item.wasOwned) {
            String since = pointText.apply(item.unownedSince);
            String until = item.stat.ownedFrom();
            violate(
                    12,
                    1,
                    item,
                    until.isEmpty()
                            ? "had no owner after %s and is still open at the end".formatted(since)
                            : "had no owner between %s and %s".formatted(since, until),
                    "register it in the step that opens it: scope.acquire(TYPE, how), or close it when what follows throws");
        } else {
            violate(12, 2, item, "is still open at the end", "end it in the release of its type, on every path");
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
    public List<Violation> violations() {
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
