package dev.tenure.core;

/// Renders what a scope owns.
final class ScopeDump {
    /// A dump is a racy look at plain links: it stops here rather than trust them.
    private static final int LINES_MAX = 1_000;

    private ScopeDump() {}

    static String of(Scope scope) {
        var text = new StringBuilder().append(scope);
        scope.cancelled().ifPresent(reason -> text.append(", cancelled: ").append(reason));
        text.append('\n');
        Extras cold = scope.extrasOrNull();
        if (cold != null) {
            for (Task<?> task : cold.tasks()) {
                text.append("  task ").append(task.name()).append('\n');
                task.root()
                        .dump()
                        .lines()
                        .forEach(line -> text.append("    ").append(line).append('\n'));
            }
        }
        int lines = 0;
        for (Owned<?> node = scope.head; node != null && lines < LINES_MAX; node = node.next, lines++) {
            text.append("  ").append(node).append('\n');
        }
        return text.toString();
    }
}
