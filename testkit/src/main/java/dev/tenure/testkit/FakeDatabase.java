package dev.tenure.testkit;

import dev.tenure.core.Probe;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/// A transactional store of texts by keys.
///
/// **Owner:** the world. **Fails:** a transaction that is neither committed nor rolled back at the end,
/// used after its end, or ended twice is a failure of the sweep. A fault after `commit/db` loses the
/// answer: the commit took effect and throws.
public final class FakeDatabase {
    private static final String NAME = "db";

    private final World world;
    private final Map<String, String> rows = new TreeMap<>();
    private final Map<String, String> files = new HashMap<>();

    FakeDatabase(World world) {
        this.world = world;
        world.atTheEnd(this::checkReferences);
    }

    /// Begins a transaction.
    ///
    /// @return to be committed, or closed
    public Transaction begin() {
        return world.open("begin", "transaction", new Transaction());
    }

    /// What others see.
    ///
    /// @param key the key
    /// @return empty if no such row is committed
    public Optional<String> get(String key) {
        return Optional.ofNullable(rows.get(key));
    }

    /// How many rows others see.
    ///
    /// @return the present number
    public int size() {
        return rows.size();
    }

    private void checkReferences() {
        files.forEach((row, file) -> {
            if (rows.containsKey(row) && !world.files().exists(file)) {
                world.violated(new Violation(
                        7,
                        8,
                        "file " + file,
                        "row '%s' refers to file '%s', which is gone".formatted(row, file),
                        "publish last: refer to a file only when nothing can fail any more,"
                                + " and delete it only before"));
            }
        });
    }

    /// A transaction.
    ///
    /// **Owner:** who began it. **Ends:** by [#commit()], or by [#close()], which rolls back what
    /// was not committed.
    public final class Transaction implements AutoCloseable {
        private final Map<String, Optional<String>> changes = new TreeMap<>();
        private final Map<String, String> references = new HashMap<>(0);
        private boolean open = true;

        private Transaction() {}

        /// Writes a row.
        ///
        /// @param key the key
        /// @param value the text
        public void put(String key, String value) {
            change(key, Optional.of(value));
        }

        /// Deletes a row.
        ///
        /// @param key the key
        public void delete(String key) {
            change(key, Optional.empty());
        }

        /// Writes a row that refers to a file of [World#files()]: at the commit the file is published.
        ///
        /// @param key the key
        /// @param file the file's name
        public void refer(String key, String file) {
            references.put(key, file);
            change(key, Optional.of(file));
        }

        private void change(String key, Optional<String> value) {
            Probe.before("execute", NAME);
            if (!open) {
                world.usedAfterItsEnd(
                        "transaction", "a transaction was used after its end, for row '%s'".formatted(key));
                throw new IllegalStateException("the transaction has ended");
            }
            changes.put(key, value);
            Probe.after("execute", NAME);
        }

        /// Makes the changes visible, in one step.
        ///
        /// @throws IOException if the answer was lost
        public void commit() throws IOException {
            Probe.before("commit", NAME);
            if (!open) {
                world.violated(
                        new Violation(2, 2, "transaction", "a transaction was committed after its end", "end it once"));
                throw new IllegalStateException("the transaction has ended");
            }
            BiConsumer<String, Optional<String>> apply =
                    (key, value) -> value.ifPresentOrElse(text -> rows.put(key, text), () -> rows.remove(key));
            changes.forEach(apply);
            for (var reference : references.entrySet()) {
                files.put(reference.getKey(), reference.getValue());
                world.files().keep(reference.getValue());
            }
            open = false;
            world.ended(this, "commit");
            Probe.after("commit", NAME);
        }

        /// Rolls back, unless it has ended.
        @Override
        public void close() {
            if (!open) {
                return;
            }
            try {
                Probe.before("rollback", NAME);
            } finally {
                open = false;
                world.ended(this, "rollback");
            }
            Probe.after("rollback", NAME);
        }

        @Override
        public String toString() {
            return "transaction";
        }
    }
}
