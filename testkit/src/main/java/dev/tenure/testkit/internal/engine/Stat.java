package dev.tenure.testkit.internal.engine;

import java.util.Set;
import java.util.TreeSet;

/// What a whole sweep learned about one kind of resource: a row of the owner table.
public final class Stat {
    private final String resource;
    private final Set<String> owners = new TreeSet<>();
    private final Set<String> events = new TreeSet<>();
    private final Set<String> cleanups = new TreeSet<>();
    private final Set<String> cleanupsElsewhere = new TreeSet<>();
    private String ownedFrom = "";
    private boolean product;
    private int points;
    private int injected;
    private End worst = End.NONE;

    /// How a resource can end, from good to bad.
    public enum End {
        /// Never seen to end.
        NONE,
        /// Published: no longer ours.
        PUBLISHED,
        /// Released.
        RELEASED,
        /// Its release threw; it counts as ended.
        FAILED,
        /// Nobody knows whether it was published.
        UNKNOWN,
        /// Still there at the end of a run.
        LEAKED
    }

    Stat(String resource) {
        this.resource = resource;
    }

    void owner(String name) {
        owners.add(name);
    }

    void ownedFrom(String point) {
        if (ownedFrom.isEmpty()) {
            ownedFrom = point;
        }
    }

    String ownedFrom() {
        return ownedFrom;
    }

    /// A task opens it and returns it, in the run without faults.
    void product() {
        product = true;
    }

    boolean isProduct() {
        return product;
    }

    void event(String event) {
        events.add(event);
    }

    void cleanup(String how, boolean plain) {
        (plain ? cleanups : cleanupsElsewhere).add(how);
    }

    void point() {
        points++;
    }

    void injection() {
        injected++;
    }

    void ended(End how) {
        if (how.compareTo(worst) > 0) {
            worst = how;
        }
    }

    /// Its name.
    ///
    /// @return the kind of resource
    public String resource() {
        return resource;
    }

    /// Who owned it in runs without faults.
    ///
    /// @return names of owners
    public Set<String> owners() {
        return owners;
    }

    /// By which events it changed its owner.
    ///
    /// @return the events
    public Set<String> events() {
        return events;
    }

    /// How it ended in runs without faults; for what is published in those, how it ended in others.
    ///
    /// @return what was done
    public Set<String> cleanups() {
        return cleanups.isEmpty() ? cleanupsElsewhere : cleanups;
    }

    /// At how many points of the run without faults it was live.
    ///
    /// @return the number
    public int points() {
        return points;
    }

    /// How many faults met it live.
    ///
    /// @return the number
    public int injected() {
        return injected;
    }

    /// The worst of its ends.
    ///
    /// @return over all runs
    public End worst() {
        return worst;
    }
}
