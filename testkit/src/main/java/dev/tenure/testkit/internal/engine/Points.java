package dev.tenure.testkit.internal.engine;

import java.util.Arrays;

/// Gives every (kind, resource, side) a small number, without building a string.
///
/// **Owner:** one sweep; used by one thread at a time. **Limits:** at most 2^20 different points.
public final class Points {
    private static final int SIDES = 3;
    private static final byte ACQUISITION = 1;
    private static final byte BODY_RETURNED = 2;
    private static final byte RELEASE = 3;

    private String[] parts = new String[64 * SIDES];
    private byte[] meanings = new byte[64];
    private int[] table = new int[256];
    private int size;

    /// No points yet.
    public Points() {}

    /// The number of a point.
    ///
    /// @param kind the transition
    /// @param resource the kind of resource
    /// @param side which side of the transition
    /// @return its number, the same for equal parts
    public int id(String kind, String resource, String side) {
        int mask = table.length - 1;
        int slot = spread(kind, resource, side) & mask;
        while (true) {
            int found = table[slot];
            if (found == 0) {
                return add(slot, kind, resource, side);
            }
            int at = (found - 1) * SIDES;
            if (parts[at].equals(kind) && parts[at + 1].equals(resource) && parts[at + 2].equals(side)) {
                return found - 1;
            }
            slot = (slot + 1) & mask;
        }
    }

    private static int spread(String kind, String resource, String side) {
        int hash = (kind.hashCode() * 31 + resource.hashCode()) * 31 + side.hashCode();
        return hash ^ (hash >>> 15);
    }

    private int add(int slot, String kind, String resource, String side) {
        int id = size++;
        if (size * SIDES > parts.length) {
            parts = Arrays.copyOf(parts, parts.length * 2);
            meanings = Arrays.copyOf(meanings, meanings.length * 2);
        }
        meanings[id] = meaning(kind, side);
        parts[id * SIDES] = kind;
        parts[id * SIDES + 1] = resource;
        parts[id * SIDES + 2] = side;
        table[slot] = id + 1;
        if (size * 2 > table.length) {
            grow();
        }
        return id;
    }

    private static byte meaning(String kind, String side) {
        if (kind.equals("acquire") && side.equals("before")) {
            return ACQUISITION;
        }
        if ((kind.equals("release") || kind.equals("discard")) && side.equals("before")) {
            return RELEASE;
        }
        return kind.equals("task") && side.equals("after") ? BODY_RETURNED : 0;
    }

    /// Whether an acquisition begins here.
    boolean isAcquisition(int id) {
        return meanings[id] == ACQUISITION;
    }

    /// Whether a release begins here.
    boolean isRelease(int id) {
        return meanings[id] == RELEASE;
    }

    /// Whether the body of a task has just returned.
    boolean isBodyReturned(int id) {
        return meanings[id] == BODY_RETURNED;
    }

    private void grow() {
        int[] larger = new int[table.length * 2];
        int mask = larger.length - 1;
        for (int id = 0; id < size; id++) {
            int slot = spread(kind(id), resource(id), side(id)) & mask;
            while (larger[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            larger[slot] = id + 1;
        }
        table = larger;
    }

    /// How many points are known.
    ///
    /// @return the numbers given so far
    public int size() {
        return size;
    }

    /// The transition of a point.
    ///
    /// @param id its number
    /// @return its kind
    public String kind(int id) {
        return parts[id * SIDES];
    }

    /// The resource of a point.
    ///
    /// @param id its number
    /// @return its kind of resource
    public String resource(int id) {
        return parts[id * SIDES + 1];
    }

    /// The side of a point.
    ///
    /// @param id its number
    /// @return `before`, `after`, a step, or empty
    public String side(int id) {
        return parts[id * SIDES + 2];
    }

    /// The point for people.
    ///
    /// @param id its number
    /// @return `kind/resource:side`
    public String text(int id) {
        return side(id).isEmpty() ? kind(id) : kind(id) + '/' + resource(id) + ':' + side(id);
    }
}
