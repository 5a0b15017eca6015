package dev.tenure.http.internal.route;

import dev.tenure.http.internal.route.PathPattern.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Routes by path and method. A literal beats a parameter, a parameter beats a rest, segment by segment.
///
/// **Owner:** the server. **Threads:** built by one, then read by any. **Limits:** 1024 routes; a pattern of 64
/// segments and 4096 bytes.
///
/// @param <T> what a route leads to
public final class RouteTable<T> {
    /// How many routes there may be.
    public static final int ROUTES_MAX = 1_024;

    /// What became of a lookup.
    ///
    /// @param <T> what a route leads to
    public sealed interface Match<T> {
        /// A route.
        ///
        /// @param target what it leads to
        /// @param names of its parameters
        /// @param values of its parameters, decoded
        /// @param <T> what a route leads to
        record Found<T>(T target, List<String> names, List<String> values) implements Match<T> {}

        /// A path that is known for other methods.
        ///
        /// @param allow the value of the Allow field
        /// @param <T> what a route leads to
        record OtherMethods<T>(String allow) implements Match<T> {}

        /// No such path, or one that nothing can have.
        ///
        /// @param <T> what a route leads to
        record None<T>() implements Match<T> {}

        /// A path that is none by its syntax.
        ///
        /// @param <T> what a route leads to
        record Malformed<T>() implements Match<T> {}
    }

    /// A table without routes.
    public RouteTable() {}

    private record Leaf<T>(PathPattern pattern, T target, List<String> names, Match<T> plain) {
        static <T> Leaf<T> of(PathPattern pattern, T target) {
            var names = pattern.names();
            return new Leaf<>(pattern, target, names, new Match.Found<>(target, names, List.of()));
        }
    }

    private static final class Node<T> {
        final Map<String, Node<T>> literals = new HashMap<>();

        @Nullable
        Node<T> parameter;

        @Nullable
        Node<T> rest;

        final Map<String, Leaf<T>> leaves = new TreeMap<>();

        String allow() {
            var methods = new ArrayList<>(leaves.keySet());
            if (methods.contains("GET") && !methods.contains("HEAD")) {
                methods.add("HEAD");
            }
            return String.join(", ", methods.stream().sorted().toList());
        }

        @Nullable
        Leaf<T> leaf(String method) {
            Leaf<T> own = leaves.get(method);
            return own == null && method.equals("HEAD") ? leaves.get("GET") : own;
        }
    }

    private final Node<T> root = new Node<>();
    private int routes;

    /// Paths without parameters, by the whole path as it is sent.
    private final Map<String, Node<T>> exact = new HashMap<>();

    /// Adds a route.
    ///
    /// @param method a token
    /// @param pattern such as `/photos/{id}`
    /// @param target what it leads to
    /// @throws IllegalArgumentException if the pattern is malformed, or the route is there already
    public void add(String method, String pattern, T target) {
        PathPattern parsed = PathPattern.parse(pattern);
        if (routes == ROUTES_MAX) {
            throw new IllegalArgumentException(
                    "routes: %d with %s %s (expected: <= %d)".formatted(routes + 1, method, pattern, ROUTES_MAX));
        }
        Node<T> node = root;
        for (var segment : parsed.segments()) {
            node = child(node, segment);
        }
        var taken = node.leaves.putIfAbsent(method, Leaf.of(parsed, target));
        if (taken != null) {
            throw new IllegalArgumentException("route: %s %s (expected: one route only; %s is there already)"
                    .formatted(method, pattern, taken.pattern().text()));
        }
        routes++;
        if (parsed.names().isEmpty()) {
            exact.put(pattern, node);
        }
    }

    private static <T> Node<T> child(Node<T> node, PathPattern.Segment segment) {
        if (segment.kind() == Kind.LITERAL) {
            return node.literals.computeIfAbsent(segment.word(), _ -> new Node<>());
        }
        Node<T> known = segment.kind() == Kind.PARAMETER ? node.parameter : node.rest;
        Node<T> child = known == null ? new Node<>() : known;
        if (segment.kind() == Kind.PARAMETER) {
            node.parameter = child;
        } else {
            node.rest = child;
        }
        return child;
    }

    /// Finds the route of a request.
    ///
    /// @param method as it was sent
    /// @param path as it was sent, without the query
    /// @return what there is
    public Match<T> find(String method, String path) {
        Node<T> whole = exact.get(path);
        if (whole != null && whole.leaf(method) != null) {
            return at(whole, method, List.of());
        }
        if (!path.startsWith("/")) {
            return new Match.None<>();
        }
        return switch (PathText.segments(path)) {
            case PathText.Path.Malformed _ -> new Match.Malformed<>();
            case PathText.Path.Nowhere _ -> new Match.None<>();
            case PathText.Path.Segments(List<String> names) -> {
                var search = new Search<T>(method, names);
                search.visit(root, 0);
                yield search.result();
            }
        };
    }

    private static <T> Match<T> at(Node<T> node, String method, List<String> values) {
        Leaf<T> leaf = node.leaf(method);
        if (leaf == null) {
            return new Match.OtherMethods<>(node.allow());
        }
        return values.isEmpty() ? leaf.plain() : new Match.Found<>(leaf.target(), leaf.names(), values);
    }

    /// One walk down the tree, the more special branch first. A branch that knows the path but not the method is kept
    /// as the answer in case no other does better.
    private static final class Search<T> {
        private final String method;
        private final List<String> segments;
        private final List<String> values = new ArrayList<>(2);
        private @Nullable Match<T> found;

        Search(String method, List<String> segments) {
            this.method = method;
            this.segments = segments;
        }

        Match<T> result() {
            Match<T> best = found;
            return best != null ? best : new Match.None<>();
        }

        /// Whether the search is over.
        boolean visit(Node<T> node, int depth) {
            if (depth == segments.size()) {
                return take(node) || rest(node, depth);
            }
            String segment = segments.get(depth);
            Node<T> literal = node.literals.get(segment);
            if (literal != null && visit(literal, depth + 1)) {
                return true;
            }
            Node<T> parameter = node.parameter;
            if (parameter != null && !segment.isEmpty()) {
                values.add(segment);
                if (visit(parameter, depth + 1)) {
                    return true;
                }
                values.removeLast();
            }
            return rest(node, depth);
        }

        private boolean rest(Node<T> node, int depth) {
            Node<T> rest = node.rest;
            if (rest == null) {
                return false;
            }
            var left = segments.subList(depth, segments.size());
            if (left.stream().anyMatch(segment -> segment.indexOf('/') >= 0)) {
                return false; // an encoded slash is no slash, and a rest could not tell
            }
            values.add(String.join("/", left));
            boolean over = take(rest);
            values.removeLast();
            return over;
        }

        private boolean take(Node<T> node) {
            if (node.leaves.isEmpty()) {
                return false;
            }
            Match<T> match = at(node, method, List.copyOf(values));
            if (match instanceof Match.Found || found == null) {
                found = match;
            }
            return match instanceof Match.Found;
        }
    }
}
