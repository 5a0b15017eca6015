package dev.tenure.host.internal;

import java.util.List;
import java.util.Map;

/// Writes maps, lists, texts, numbers and truth values as JSON, two spaces a level. Enough for a report, and no
/// more.
///
/// **Threads:** one. **Fails:** `IllegalArgumentException` for any other type of value.
public final class JsonWriter {
    private static final String INDENT = "  ";
    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    /// Writes a value.
    ///
    /// @param value a `Map` with text keys, a `List`, a `String`, a `Number` or a `Boolean`
    /// @return the JSON text, ended by a line feed
    public static String write(Object value) {
        var writer = new JsonWriter();
        writer.value(value, "");
        return writer.out.append('\n').toString();
    }

    private void value(Object value, String indent) {
        switch (value) {
            case Map<?, ?> map -> object(map, indent);
            case List<?> list -> array(list, indent);
            case String text -> text(text);
            case Number number -> out.append(number);
            case Boolean truth -> out.append(truth);
            default -> throw new IllegalArgumentException("json: a " + value.getClass() + " cannot be written");
        }
    }

    private void object(Map<?, ?> map, String indent) {
        var inner = indent + INDENT;
        var separator = "\n";
        out.append('{');
        for (var entry : map.entrySet()) {
            out.append(separator).append(inner);
            text(String.valueOf(entry.getKey()));
            out.append(": ");
            value(entry.getValue(), inner);
            separator = ",\n";
        }
        out.append(map.isEmpty() ? "}" : "\n" + indent + "}");
    }

    private void array(List<?> list, String indent) {
        var inner = indent + INDENT;
        var separator = "\n";
        out.append('[');
        for (var item : list) {
            out.append(separator).append(inner);
            value(item, inner);
            separator = ",\n";
        }
        out.append(list.isEmpty() ? "]" : "\n" + indent + "]");
    }

    private void text(String text) {
        out.append('"');
        for (var at = 0; at < text.length(); at++) {
            character(text.charAt(at));
        }
        out.append('"');
    }

    private void character(char c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ' || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029') {
                    out.append("\\u%04x".formatted((int) c));
                } else {
                    out.append(c);
                }
            }
        }
    }
}
