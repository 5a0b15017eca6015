package dev.tenure.testkit.internal.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Who a controlled thread is, in every run of a sweep: the names of the tasks from the scenario's own
/// thread down.
///
/// **Owner:** one sweep. It also counts how often each point was reached in the present run, without
/// being cleared between runs.
public final class Path {
    private static final int COUNT_BITS = 20;

    private final int id;
    private final List<String> names;
    private final List<Path> all;
    private final List<Path> children = new ArrayList<>(2);
    private final String name;
    private final int ordinal;
    private long[] counts = new long[32];

    private Path(List<String> names, List<Path> all, String name, int ordinal) {
        this.id = all.size();
        this.names = names;
        this.all = all;
        this.name = name;
        this.ordinal = ordinal;
        all.add(this);
    }

    /// The scenario's own thread.
    ///
    /// @return a new tree
    public static Path root() {
        return new Path(List.of(), new ArrayList<>(), "", 1);
    }

    Path child(String task, int nth) {
        for (Path child : children) {
            if (child.ordinal == nth && child.name.equals(task)) {
                return child;
            }
        }
        var deeper = new ArrayList<>(names);
        deeper.add(Text.encoded(task) + (nth == 1 ? "" : "~" + nth));
        Path child = new Path(List.copyOf(deeper), all, task, nth);
        children.add(child);
        return child;
    }

    boolean isChild(Path parent, String task) {
        return names.size() == parent.names.size() + 1 && name.equals(task) && parent.children.contains(this);
    }

    /// The next occurrence of a point here.
    ///
    /// @param run the run's serial number
    /// @param key the point's number
    /// @return path, point and occurrence in one word
    long next(long run, int key) {
        if (key >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(key + 1, counts.length * 2));
        }
        long seen = counts[key];
        long count = seen >>> COUNT_BITS == run ? (seen & ((1L << COUNT_BITS) - 1)) + 1 : 1;
        counts[key] = run << COUNT_BITS | count;
        return (long) id << 40 | (long) key << COUNT_BITS | count;
    }

    /// Which point a word names.
    ///
    /// @param point a word of a run
    /// @return the point's number
    public static int key(long point) {
        return (int) (point >>> COUNT_BITS) & ((1 << COUNT_BITS) - 1);
    }

    /// Which occurrence a word names.
    ///
    /// @param point a word of a run
    /// @return 1 for the first
    public static int occurrence(long point) {
        return (int) (point & ((1 << COUNT_BITS) - 1));
    }

    /// Whose point a word names.
    ///
    /// @param point a word of a run
    /// @return the path
    public Path of(long point) {
        return all.get((int) (point >>> 40));
    }

    /// The path of a token.
    ///
    /// @param segments as of [#names()]
    /// @return the same path of this sweep
    public Path resolve(List<String> segments) {
        Path at = this;
        for (String segment : segments) {
            int mark = segment.lastIndexOf('~');
            String task = mark < 0 ? segment : segment.substring(0, mark);
            at = at.child(Text.decoded(task), mark < 0 ? 1 : Integer.parseInt(segment.substring(mark + 1)));
        }
        return at;
    }

    /// A point here.
    ///
    /// @param key the point's number
    /// @param occurrence 1 for the first
    /// @return path, point and occurrence in one word
    public long word(int key, int occurrence) {
        return (long) id << 40 | (long) key << COUNT_BITS | occurrence;
    }

    /// The names of the tasks, encoded, from the scenario down; empty for the scenario's own thread.
    ///
    /// @return the segments
    public List<String> names() {
        return names;
    }

    /// The path for people.
    ///
    /// @return `main`, or the tasks joined by `>`
    public String text() {
        return names.isEmpty() ? "main" : String.join(">", names);
    }
}
