package dev.tenure.testkit.internal.engine;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;

/// Names as parts of a token.
public final class Text {
    private Text() {}

    /// A name without characters that mean something in a token.
    ///
    /// @param name any name
    /// @return letters, digits, `.`, `_`, `-` and `%xx`; `-` alone for an empty name
    public static String encoded(String name) {
        if (name.isEmpty()) {
            return "-";
        }
        var text = new StringBuilder();
        for (byte unit : name.getBytes(StandardCharsets.UTF_8)) {
            char at = (char) (unit & 0xff);
            boolean plain = at < 128 && (Character.isLetterOrDigit(at) || at == '.' || at == '_' || at == '-');
            text.append(plain ? String.valueOf(at) : "%%%02X".formatted(unit & 0xff));
        }
        return text.toString();
    }

    /// The name again.
    ///
    /// @param encoded of [#encoded]
    /// @return the name
    public static String decoded(String encoded) {
        return encoded.equals("-") ? "" : URLDecoder.decode(encoded, StandardCharsets.UTF_8);
    }
}
