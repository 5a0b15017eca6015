package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Heads as fields in memory, for requests and answers that never were bytes on a connection. A request's fields go
/// through the same parser as those of a connection, so that there is one opinion on what is well-formed.
///
/// **Threads:** any. **Limits:** [WireLimits], as on a connection.
public final class HeadFields {
    /// What said how the message came, which is over when it is here.
    private static final Set<String> OF_A_CONNECTION = Set.of(
            "connection",
            "content-length",
            "expect",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final Refusal FIELD =
            Refusal.bad("a field is not a name with a value of visible Latin-1, or the target is not of visible ASCII");

    private HeadFields() {}

    /// A request head, or why there is none.
    public sealed interface Parsed {
        /// A head.
        ///
        /// @param head as from a connection
        record Accepted(RequestHead head) implements Parsed {}

        /// None.
        ///
        /// @param why the answer
        record Refused(Refusal why) implements Parsed {}
    }

    /// The fields of a response, as its author gave them.
    ///
    /// @param head the response
    /// @return names and values, in order
    public static List<Map.Entry<String, String>> of(ResponseHead head) {
        var fields = new ArrayList<Map.Entry<String, String>>(head.size() / 2);
        for (int i = 0; i < head.size(); i += 2) {
            fields.add(Map.entry(head.text(i), head.text(i + 1)));
        }
        return fields;
    }

    /// A request head. What says how the message was sent is left out, and the length is the body's own.
    ///
    /// @param line method and target, apart by one blank
    /// @param fields names and values
    /// @param bodyBytes how long the body is
    /// @param limits what a head may cost
    /// @return the head, or why not
    public static Parsed parse(String line, List<Map.Entry<String, String>> fields, int bodyBytes, WireLimits limits) {
        var out = new ByteArrayOutputStream(512);
        boolean fits = isLine(line);
        put(out, line + " HTTP/1.1");
        for (var field : fields) {
            String name = field.getKey().toLowerCase(Locale.ROOT);
            fits &= Syntax.isToken(name) && Syntax.isFieldValue(field.getValue());
            if (!OF_A_CONNECTION.contains(name)) {
                put(out, name + ": " + field.getValue());
            }
        }
        if (fields.stream().noneMatch(field -> field.getKey().equalsIgnoreCase("host"))) {
            put(out, "host: localhost");
        }
        if (bodyBytes > 0) {
            put(out, "content-length: " + bodyBytes);
        }
        put(out, "");
        return fits ? parse(out.toByteArray(), limits) : new Parsed.Refused(FIELD);
    }

    private static boolean isLine(String line) {
        return line.chars().allMatch(c -> c >= ' ' && c < 0x7f);
    }

    private static void put(ByteArrayOutputStream out, String text) {
        out.writeBytes((text + "\r\n").getBytes(ISO_8859_1));
    }

    private static Parsed parse(byte[] bytes, WireLimits limits) {
        var parser = new HeadParser(limits);
        parser.feed(bytes, 0, bytes.length);
        Optional<Refusal> refusal = parser.refusal();
        return refusal.isPresent() ? new Parsed.Refused(refusal.get()) : new Parsed.Accepted(parser.take());
    }
}
