package dev.tenure.examples.photos.image;

import java.util.ArrayList;
import java.util.List;

/// The parts of a file that a decoder may see, in order.
///
/// **Threads:** one. **Limits:** 4096 parts that do not touch; real pictures have a few.
final class Ranges {
    private static final int PARTS_MAX = 4096;

    private final List<Part> parts = new ArrayList<>();

    /// Bytes `from` (inclusive) to `to` (exclusive) of the file.
    record Part(long from, long to) {
        long bytes() {
            return to - from;
        }
    }

    void keep(long from, long to) {
        if (!parts.isEmpty() && parts.getLast().to() == from) {
            parts.set(parts.size() - 1, new Part(parts.getLast().from(), to));
            return;
        }
        if (parts.size() == PARTS_MAX) {
            throw new UnsupportedImage("its metadata splits the picture into more than %d parts".formatted(PARTS_MAX));
        }
        parts.add(new Part(from, to));
    }

    long bytes() {
        return parts.stream().mapToLong(Part::bytes).sum();
    }

    List<Part> parts() {
        return List.copyOf(parts);
    }
}
