package dev.tenure.host.internal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/// Puts users before what they use, and keeps a given order otherwise. Pure.
///
/// **Threads:** immutable, any. **Source:** design 2 (a dependency edge beats every order), ADR-0011.
///
/// @param <T> what is ordered
/// @param uses the edges: what an item uses; items that are not in the list are ignored
public record DependencyOrder<T>(Function<T, Set<T>> uses) {
    /// Orders the items.
    ///
    /// @param items in the order wanted where no edge says otherwise; must be free of cycles, else the members of a
    /// cycle keep the wanted order
    /// @return the same items, each before everything it uses
    public List<T> sort(List<T> items) {
        var left = new ArrayList<>(items);
        var sorted = new ArrayList<T>(items.size());
        while (!left.isEmpty()) {
            var next = left.stream()
                    .filter(item -> left.stream().noneMatch(other -> !other.equals(item) && uses(other, item)))
                    .findFirst()
                    .orElse(left.getFirst());
            left.remove(next);
            sorted.add(next);
        }
        return sorted;
    }

    /// Finds a cycle.
    ///
    /// @param items the items
    /// @return one cycle, its first member repeated at the end, or empty
    public Optional<List<T>> cycle(List<T> items) {
        var done = new LinkedHashSet<T>();
        for (var item : items) {
            var found = walk(item, new ArrayList<>(), done);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private boolean uses(T user, T used) {
        return uses.apply(user).contains(used);
    }

    private Optional<List<T>> walk(T item, List<T> path, Set<T> done) {
        var before = path.indexOf(item);
        if (before >= 0) {
            var cycle = new ArrayList<>(path.subList(before, path.size()));
            cycle.add(item);
            return Optional.of(cycle);
        }
        if (done.contains(item)) {
            return Optional.empty();
        }
        path.add(item);
        for (var used : uses.apply(item)) {
            var found = walk(used, path, done);
            if (found.isPresent()) {
                return found;
            }
        }
        path.removeLast();
        done.add(item);
        return Optional.empty();
    }
}
