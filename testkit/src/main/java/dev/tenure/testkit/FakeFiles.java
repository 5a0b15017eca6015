package dev.tenure.testkit;

import dev.tenure.core.Probe;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.TreeMap;

/// A directory that is only pretended.
///
/// **Owner:** the world. A file that was created is the creator's until it is deleted or kept.
/// **Fails:** a file is not deleted or moved while somebody has it open, not created twice, not read
/// when it is not there; what is left at the end, open or not kept, is a failure of the sweep.
public final class FakeFiles {
    private final World world;
    private final Map<String, Entry> entries = new TreeMap<>();

    FakeFiles(World world) {
        this.world = world;
    }

    /// One file.
    static final class Entry {
        final String name;
        int open;
        int size;
        boolean complete;
        boolean kept;

        Entry(String name) {
            this.name = name;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// Creates a file, exclusively, and opens it.
    ///
    /// @param name its name
    /// @return the open file, to be closed; the file itself is to be deleted or kept
    /// @throws IOException if it exists, or a fault says so
    public Handle create(String name) throws IOException {
        Probe.before("create", name);
        if (entries.containsKey(name)) {
            throw new FileAlreadyExistsException(name);
        }
        var entry = new Entry(name);
        var handle = new Handle(entry);
        entries.put(name, entry);
        entry.open++;
        world.opened("file " + name, entry);
        world.opened("open file " + name, handle);
        try {
            Probe.after("create", name);
        } catch (Throwable fault) {
            handle.open = false;
            entry.open--;
            world.lost(handle, "undone");
            entries.remove(name);
            world.lost(entry, "undone");
            throw fault;
        }
        return handle;
    }

    /// Deletes a file.
    ///
    /// @param name its name
    /// @throws IOException if it is not there, is open, or a fault says so
    public void delete(String name) throws IOException {
        Throwable fault = null;
        try {
            Probe.before("delete", name);
        } catch (Throwable injected) {
            fault = injected;
        }
        remove(closed(name), "delete");
        if (fault != null) {
            Injected.<RuntimeException>thrown(fault);
        }
        Probe.after("delete", name);
    }

    private void remove(Entry entry, String how) {
        entries.remove(entry.name);
        world.ended(entry, how);
    }

    private Entry closed(String name) throws IOException {
        var entry = entries.get(name);
        if (entry == null) {
            throw new NoSuchFileException(name);
        }
        if (entry.open > 0) {
            throw new IOException(
                    "file %s: open %d times, so it is neither deleted nor moved".formatted(name, entry.open));
        }
        return entry;
    }

    /// Gives a file another name in one step; it stays its creator's.
    ///
    /// @param from its name
    /// @param to its next name
    /// @throws IOException if it is not there, is open, the name is taken, or a fault says so
    public void move(String from, String to) throws IOException {
        Probe.before("place", to);
        var entry = closed(from);
        if (entries.containsKey(to)) {
            throw new FileAlreadyExistsException(to);
        }
        var placed = new Entry(to);
        placed.size = entry.size;
        placed.complete = true;
        entries.put(to, placed);
        world.opened("file " + to, placed);
        remove(entry, "moved");
        Probe.after("place", to);
    }

    /// Says that others refer to the file now: it is no longer its creator's.
    ///
    /// @param name its name
    /// @throws IOException if it is not there
    public void keep(String name) throws IOException {
        var entry = entries.get(name);
        if (entry == null) {
            throw new NoSuchFileException(name);
        }
        if (entry.open > 0 && !entry.complete) {
            world.violated(new Violation(
                    7,
                    8,
                    "file " + name,
                    "file '%s' was published before it was complete".formatted(name),
                    "close it first, and publish last"));
        }
        entry.kept = true;
        world.published(entry);
    }

    /// Whether a file is there.
    ///
    /// @param name its name
    /// @return true also while it is written
    public boolean exists(String name) {
        return entries.containsKey(name);
    }

    /// How many files are there.
    ///
    /// @return kept ones included
    public int count() {
        return entries.size();
    }

    /// An open file.
    ///
    /// **Owner:** who created it. **Ends:** by [#close()], which can be repeated and does not delete.
    public final class Handle implements Closeable {
        private final Entry entry;
        private boolean open = true;

        private Handle(Entry entry) {
            this.entry = entry;
        }

        /// Writes.
        ///
        /// @param bytes how many
        /// @throws IOException if it is closed, or a fault says so
        public void write(int bytes) throws IOException {
            Probe.before("write", entry.name);
            if (!open) {
                world.usedAfterItsEnd(
                        "file " + entry.name, "file '%s' was written after its close".formatted(entry.name));
                throw new IOException(entry.name + " is closed");
            }
            entry.size += bytes;
            Probe.after("write", entry.name);
        }

        /// Its name.
        ///
        /// @return as it was created
        public String name() {
            return entry.name;
        }

        @Override
        public void close() {
            try {
                Probe.before("end", "open file " + entry.name);
            } finally {
                shut("close");
            }
            Probe.after("end", "open file " + entry.name);
        }

        private void shut(String how) {
            if (open) {
                open = false;
                entry.open--;
                entry.complete = true;
                world.ended(this, how);
            }
        }

        @Override
        public String toString() {
            return "open file " + entry.name;
        }
    }
}
