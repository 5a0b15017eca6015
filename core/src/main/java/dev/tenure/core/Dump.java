package dev.tenure.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What an owner owns, as a tree that can be read by people and by programs.
///
/// @param kind `scope`, `task`, `supervisor`, `value`
/// @param name the static label
/// @param state where it stands
/// @param note a cancel, a site, a stack frame
/// @param owns what it owns, tasks first, then values newest first
record Dump(String kind, String name, String state, Optional<String> note, List<Dump> owns) {
    /// A dump is a racy look at plain links: it stops here rather than trust them.
    private static final int VALUES_MAX = 1_000;

    static Dump of(Scope scope) {
        var owns = new ArrayList<Dump>();
        Extras cold = scope.extrasOrNull();
        if (cold != null) {
            cold.tasks().forEach(task -> owns.add(of(task)));
        }
        Owned<?> node = scope.head;
        for (int values = 0; node != null && values < VALUES_MAX; node = node.next, values++) {
            owns.add(of(node));
        }
        var cancelled = scope.cancelled().map(reason -> "cancelled: " + reason);
        return new Dump("scope", scope.name(), scope.phase().name(), cancelled, owns);
    }

    static Dump of(Supervisor supervisor) {
        var owns = new ArrayList<Dump>();
        supervisor.stripes().forEach(stripe -> stripe.liveTasks().forEach(task -> owns.add(of(task))));
        supervisor
                .stripes()
                .flatMap(stripe -> stripe.liveHandles().stream())
                .limit(VALUES_MAX)
                .forEach(handle -> owns.add(of(handle)));
        String state = supervisor.isSealed() ? "SEALED" : "OPEN";
        return new Dump("supervisor", supervisor.name(), state, Optional.empty(), owns);
    }

    private static Dump of(Task<?> task) {
        var holder = task.holder();
        var at = holder.stack().isEmpty() ? "" : ", at " + holder.stack().getFirst();
        var note = holder.age().toMillis() + " ms old" + at;
        String state = task.isDone() ? "DONE" : "RUNNING";
        return new Dump("task", task.name(), state, Optional.of(note), List.of(of(task.root())));
    }

    private static Dump of(Owned<?> node) {
        var note = node.trace().map(trace -> trace.age().toMillis() + " ms old, from " + trace.site());
        return new Dump("value", node.type().name(), node.state().name(), note, List.of());
    }

    String text() {
        var text = new StringBuilder();
        append(text, "");
        return text.toString();
    }

    private void append(StringBuilder text, String indent) {
        text.append(indent);
        if (!kind.equals("value")) {
            text.append(kind).append(' ');
        }
        text.append(name).append(' ').append(state);
        note.ifPresent(said -> text.append(", ").append(said));
        text.append('\n');
        owns.forEach(owned -> owned.append(text, indent + "  "));
    }

    String json() {
        var json = new StringBuilder();
        appendJson(json);
        return json.toString();
    }

    private void appendJson(StringBuilder json) {
        json.append('{');
        field(json, "kind", kind).append(',');
        field(json, "name", name).append(',');
        field(json, "state", state);
        note.ifPresent(said -> field(json.append(','), "note", said));
        if (!kind.equals("value")) {
            json.append(",\"owns\":[");
            for (int i = 0; i < owns.size(); i++) {
                owns.get(i).appendJson(i == 0 ? json : json.append(','));
            }
            json.append(']');
        }
        json.append('}');
    }

    private static StringBuilder field(StringBuilder json, String key, String value) {
        json.append('"').append(key).append("\":\"");
        for (int i = 0; i < value.length(); i++) {
            char at = value.charAt(i);
            switch (at) {
                case '"', '\\' -> json.append('\\').append(at);
                default -> {
                    if (at < ' ') {
                        json.append("\\u%04x".formatted((int) at));
                    } else {
                        json.append(at);
                    }
                }
            }
        }
        return json.append('"');
    }
}
