package dev.tenure.uploads.internal;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The head of a part: its field name, and what the client says about its content.
///
/// The file name is what the client claims, no more. **Source:** RFC 7578 section 4.
///
/// @param name the field
/// @param filename as the client claims; `filename*` is ignored
/// @param contentType as the client claims
public record PartHead(String name, Optional<String> filename, String contentType) {
    private static final Set<String> IDENTITY_ENCODINGS = Set.of("7bit", "8bit", "binary");
    private static final Set<String> MEANT_ONCE =
            Set.of("content-disposition", "content-type", "content-transfer-encoding");

    /// Either a head or the reason why it is none.
    public sealed interface Read {}

    /// A valid head.
    ///
    /// @param head the head
    public record Valid(PartHead head) implements Read {}

    /// Not a head that RFC 7578 allows.
    ///
    /// @param why for the client
    public record Invalid(String why) implements Read {}

    /// Reads the lines of a head, each ended by CRLF, without the empty line after them.
    ///
    /// @param lines consumed
    /// @return a head or why it is none
    public static Read read(ByteBuffer lines) {
        try {
            return new Reader()
                    .all(StandardCharsets.UTF_8.newDecoder().decode(lines).toString());
        } catch (CharacterCodingException e) {
            return new Invalid("the head of a part is not UTF-8");
        }
    }

    private static final class Reader {
        private final Map<String, String> fields = new HashMap<>();

        Read all(String lines) {
            for (var from = 0; from < lines.length(); ) {
                var end = lines.indexOf("\r\n", from);
                var problem = field(lines.substring(from, end));
                if (problem.isPresent()) {
                    return new Invalid(problem.get());
                }
                from = end + 2;
            }
            return interpret();
        }

        private Optional<String> field(String line) {
            var colon = line.indexOf(':');
            if (line.startsWith(" ") || line.startsWith("\t")) {
                return Optional.of("a line in the head of a part is folded");
            }
            if (colon < 0) {
                return Optional.of("a line in the head of a part has no colon");
            }
            if (colon == 0 || !line.chars().limit(colon).allMatch(c -> Parameters.isToken((char) c))) {
                return Optional.of("a name in the head of a part has a character that it may not have");
            }
            if (line.chars().anyMatch(c -> (c < ' ' && c != '\t') || c == 0x7f)) {
                return Optional.of("the head of a part has a control character");
            }
            var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
            var before = fields.put(name, line.substring(colon + 1).strip());
            return before != null && MEANT_ONCE.contains(name)
                    ? Optional.of("the head of a part has " + name + " twice")
                    : Optional.empty();
        }

        private Read interpret() {
            var disposition =
                    Optional.ofNullable(fields.get("content-disposition")).flatMap(Parameters::parse);
            if (disposition.isEmpty() || !disposition.get().value().equalsIgnoreCase("form-data")) {
                return new Invalid("a part has no Content-Disposition of form-data");
            }
            var named = disposition.get().named();
            var name = Optional.ofNullable(named.get("name"));
            if (name.isEmpty()) {
                return new Invalid("a part has no field name");
            }
            var type = fields.getOrDefault("content-type", "text/plain");
            if (type.toLowerCase(Locale.ROOT).startsWith("multipart/")) {
                return new Invalid("a part is multipart itself");
            }
            var encoding = fields.getOrDefault("content-transfer-encoding", "binary");
            if (!IDENTITY_ENCODINGS.contains(encoding.toLowerCase(Locale.ROOT))) {
                return new Invalid("a part has a Content-Transfer-Encoding");
            }
            return new Valid(new PartHead(name.get(), Optional.ofNullable(named.get("filename")), type));
        }
    }
}
