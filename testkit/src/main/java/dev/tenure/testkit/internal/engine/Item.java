package dev.tenure.testkit.internal.engine;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One thing that must end: an entry of the [Book].
final class Item {
    final String kind;
    final String name;
    final Stat stat;
    Object identity;

    @Nullable
    Item owner;

    @Nullable
    Actor actor;

    @Nullable
    Object awaitedOwner;

    /// Moved in by another thread, so that its place among the others is not known.
    boolean foreign;
    boolean ended;

    /// The effect of a fake that a handle holds, or the handle that holds the effect.
    @Nullable
    Item partner;

    /// For an effect that was opened on the way to a handle's value: that handle.
    @Nullable
    Item within;

    /// The point after which an effect has no owner.
    long unownedSince;
    boolean wasOwned;

    /// What ended it, as its fake says.
    String endedBy = "";

    /// For owners: what they own, oldest first.
    final List<Item> members;

    /// For a scope whose close has a budget: when that is over.
    long budget;
    boolean hasBudget;

    int liveTasks;
    int releasedByClose;
    int releasedByOthers;

    Item(Told.Opened told, @Nullable Item owner, Stat stat, @Nullable Actor actor) {
        this.kind = told.kind();
        this.name = told.name();
        this.identity = told.identity();
        this.owner = owner;
        this.stat = stat;
        this.actor = actor;
        this.members = kind.equals("owned") || kind.equals("effect") ? List.of() : new ArrayList<>(4);
    }

    boolean isOwned() {
        return kind.equals("owned");
    }

    boolean isEffect() {
        return kind.equals("effect");
    }

    void adopt(Item member) {
        members.add(member);
        if (member.kind.equals("task")) {
            liveTasks++;
        }
    }

    void dismiss(Item member) {
        for (int i = members.size() - 1; i >= 0; i--) {
            if (members.get(i) == member) {
                members.remove(i);
                break;
            }
        }
        if (member.kind.equals("task")) {
            liveTasks--;
        }
    }

    String label() {
        return isEffect() ? "'" + name + "'" : isOwned() ? "handle '" + name + "'" : kind + " '" + name + "'";
    }
}
