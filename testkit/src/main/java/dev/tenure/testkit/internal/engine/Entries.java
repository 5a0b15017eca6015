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

/// What the core tells a [Book], entry by entry.
@SuppressWarnings("ReferenceEquality") // what the core announces is told apart by identity
abstract sealed class Entries permits Book {
    final Map<String, Stat> stats;
    final LongFunction<String> pointText;
    final IdentityHashMap<Object, Item> known = new IdentityHashMap<>();
    private final List<Item> homeless = new ArrayList<>(0);
    final IdentityHashMap<Object, Item> effects = new IdentityHashMap<>();
    final List<Item> order = new ArrayList<>();
    final List<Broken> violations = new ArrayList<>(0);
    final List<CloseReport> reports = new ArrayList<>(2);
    final List<Object> tasks = new ArrayList<>(2);
    final boolean plain;
    int orphans;
    boolean fresh;
    boolean mayEndForeign;
    boolean mayInterrupt;
    boolean mayBeUnknown;
    long at;

    Entries(Map<String, Stat> stats, LongFunction<String> pointText, boolean plain) {
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
            holdInside(item);
        }
    }

    /// What was opened on the way to a value, and is not the value, is inside it.
    private void holdInside(Item handle) {
        Actor actor = handle.actor;
        List<Item> inside = actor == null ? null : actor.inside;
        if (inside == null) {
            return;
        }
        for (Item effect : inside) {
            if (!effect.ended && effect.partner == null) {
                effect.stat.owner(ownerOf(handle));
                effect.within = handle;
            }
        }
        inside.clear();
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
    Item item(Told.Opened told, @Nullable Actor actor) {
        Object owner = told.owner();
        Item entered = owner == null ? null : find(owner);
        Stat stat = stats.computeIfAbsent(told.name(), Stat::new);
        var item = new Item(told, entered, stat, actor);
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
                    Rule.OWNED,
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

    synchronized void moved(Told.Moved move, @Nullable Actor actor) {
        String event = move.event();
        Object owner = move.owner();
        Item item = known.remove(move.from());
        if (item == null || item.ended) {
            violate(new Broken(
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
        item.identity = move.to();
        item.owner = after;
        item.foreign = after != null && after.actor != actor;
        if (known.put(move.to(), item) != null) {
            violate(Rule.OWNED, item, "is owned twice after " + event, "the core mixed up two handles: report this");
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

    static String ownerOf(Item item) {
        Item owner = item.owner;
        return owner == null ? "nobody" : owner.label();
    }

    synchronized void ended(Object identity, String how, @Nullable Actor actor) {
        Item item = known.get(identity);
        if (item == null || item.ended) {
            if (item != null || identity instanceof Owned<?>) {
                String what = item == null ? "was never announced, but ended as " : "ended a second time, as ";
                violate(new Broken(
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
                    Rule.ENDED_ONCE,
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
        if (released) {
            item.stat.cleanup(cleanup(item, actor), plain);
        }
        if (how.equals("UNKNOWN") && !mayBeUnknown) {
            violate(
                    Rule.PUBLISHED,
                    item,
                    "its publish ended as UNKNOWN although nothing disturbed it",
                    "throw NotPublished where nothing was published, return where it was");
        }
        Item owner = item.owner;
        if ((released || how.equals("UNKNOWN")) && owner != null) {
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
                    Rule.RELEASED,
                    effect,
                    "is still open after its release has ended as " + how,
                    "let the release of '%s' end it on every path".formatted(item.name));
        } else {
            effect.ended = true;
            effects.remove(effect.identity);
            effect.stat.ended(how.equals("PUBLISHED") ? Stat.End.PUBLISHED : Stat.End.UNKNOWN);
            if (how.equals("PUBLISHED")) {
                effect.stat.event("publish");
            }
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
        if (how.equals("PUBLISHED")) {
            item.stat.event("publish");
        }
    }

    /// What its release did, as far as fakes saw it.
    private static String cleanup(Item item, @Nullable Actor actor) {
        List<Item> endings = actor == null ? List.of() : actor.endings;
        if (endings.isEmpty()) {
            return "release, masked";
        }
        var text = new StringBuilder();
        for (Item effect : endings) {
            String what = effect.partner == item || effect.within == item
                    ? effect.endedBy
                    : effect.endedBy + " of " + effect.name;
            if (text.indexOf(what) < 0) {
                text.append(text.isEmpty() ? "" : " and ").append(what);
            }
        }
        return text.append(", masked").toString();
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
                    Rule.IN_ORDER,
                    item,
                    "was released while a task of its scope '%s' still ran".formatted(owner.name),
                    "join tasks before releasing what they use");
        }
        for (int i = owner.members.size() - 1; i >= 0 && owner.members.get(i) != item; i--) {
            Item newer = owner.members.get(i);
            if (newer.isOwned() && !newer.foreign && isHeld(newer)) {
                violate(
                        Rule.IN_ORDER,
                        item,
                        "was released before %s, which is newer".formatted(newer.label()),
                        "release newest first: a later resource may use an earlier one");
                return;
            }
        }
    }

    static boolean isHeld(Item handle) {
        return handle.identity instanceof Owned<?> owned && owned.state() == Owned.State.HELD;
    }

    /// A close that has begun has a budget.
    synchronized void budget(Object scope, long when) {
        Item item = known.get(scope);
        if (item != null && !item.hasBudget) {
            item.hasBudget = true;
            item.budget = when;
        }
    }

    private void checkBudget(Item owner, CloseReport report, long now) {
        long late = now - owner.budget;
        boolean overdue = report.status() == CloseReport.Status.OVERDUE;
        if (owner.hasBudget && !overdue && late > 0) {
            violate(
                    Rule.IN_TIME,
                    owner,
                    "reported %s %d ms after the budget of its close, and never OVERDUE"
                            .formatted(report.status(), late / 1_000_000),
                    "tell OVERDUE when the budget has passed, and go on in the background");
        }
        owner.hasBudget &= !overdue;
    }

    synchronized void reported(Object identity, CloseReport report, long now) {
        reports.add(report);
        Item owner = known.get(identity);
        if (owner == null) {
            return;
        }
        checkBudget(owner, report, now);
        boolean overdue = report.status() == CloseReport.Status.OVERDUE;
        if (!overdue && !owner.members.isEmpty()) {
            violate(
                    Rule.REPORTED,
                    owner,
                    "reported %s while it still owned %s"
                            .formatted(report.status(), owner.members.getFirst().label()),
                    "a report is made when everything has ended");
        }
        boolean tooFew = report.released() < owner.releasedByClose - owner.releasedByOthers;
        boolean tooMany = report.released() > owner.releasedByClose;
        if (!overdue && owner.kind.equals("scope") && owner.members.isEmpty() && (tooFew || tooMany)) {
            violate(
                    Rule.REPORTED,
                    owner,
                    "reported %d releases, the ledger saw %d".formatted(report.released(), owner.releasedByClose),
                    "report what was done, once each");
        }
        if ((report.status() == CloseReport.Status.FAILED) == report.failures().isEmpty() && !overdue) {
            violate(
                    Rule.REPORTED,
                    owner,
                    "reported %s with %d failures"
                            .formatted(report.status(), report.failures().size()),
                    "FAILED means at least one failure, CLEAN none");
        }
    }

    /// A fake saw a law broken.
    ///
    /// @param violation which one
    public synchronized void violate(Broken violation) {
        if (violations.size() < 64) {
            violations.add(violation);
        }
    }

    final void violate(Rule rule, Item item, String what, String advice) {
        violate(new Broken(rule.oracle, rule.law, item.name, item.label() + ' ' + what, advice));
    }
}
