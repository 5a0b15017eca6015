package dev.tenure.lambda;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.http.HttpCalls;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/// Writes answers as events: cookies on their own, fields of one name joined by commas, a body that is no text in
/// base64.
///
/// **Limits:** as the caller says. **Fails:** [AnswerTooLarge].
final class EventWriter {
    private static final JsonFactory JSON = JsonFactory.builder().build();

    private EventWriter() {}

    static byte[] encode(int status, String text) {
        var fields = Map.of("content-type", "text/plain; charset=utf-8");
        return encode(new Parts(status, fields, List.of(), text, false));
    }

    static byte[] encode(HttpCalls.Answer answer, int bytesMax) {
        if (answer.body().length > bytesMax) {
            throw new AnswerTooLarge(answer.body().length, bytesMax);
        }
        var bytes = encode(parts(answer));
        if (bytes.length > bytesMax) {
            throw new AnswerTooLarge(bytes.length, bytesMax);
        }
        return bytes;
    }

    /// What an event has.
    private record Parts(int status, Map<String, String> fields, List<String> cookies, String body, boolean base64) {}

    private static Parts parts(HttpCalls.Answer answer) {
        var fields = new LinkedHashMap<String, String>();
        var cookies = new ArrayList<String>();
        for (var field : answer.fields()) {
            var name = field.getKey().toLowerCase(Locale.ROOT);
            if (name.equals("set-cookie")) {
                cookies.add(field.getValue());
            } else {
                fields.merge(name, field.getValue(), (first, second) -> first + ", " + second);
            }
        }
        Optional<String> text = isText(fields) ? decoded(answer.body()) : Optional.empty();
        var body = text.orElseGet(() -> Base64.getEncoder().encodeToString(answer.body()));
        return new Parts(answer.status(), fields, cookies, body, text.isEmpty());
    }

    /// Whether a body says that it is text, in UTF-8 and as it is.
    private static boolean isText(Map<String, String> fields) {
        var type = fields.getOrDefault("content-type", "").toLowerCase(Locale.ROOT);
        var media = type.split(";", 2)[0].strip();
        boolean textual = media.startsWith("text/")
                || media.equals("application/json")
                || media.equals("application/xml")
                || media.equals("application/javascript")
                || media.endsWith("+json")
                || media.endsWith("+xml");
        boolean otherCharset = type.contains("charset=") && !type.contains("utf-8");
        return textual && !otherCharset && !fields.containsKey("content-encoding");
    }

    private static Optional<String> decoded(byte[] bytes) {
        try {
            return Optional.of(UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException _) {
            return Optional.empty();
        }
    }

    private static byte[] encode(Parts parts) {
        var out = new ByteArrayOutputStream(parts.body().length() + 512);
        try (var json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeNumberProperty("statusCode", parts.status());
            fields(json, parts.fields());
            cookies(json, parts.cookies());
            json.writeBooleanProperty("isBase64Encoded", parts.base64());
            json.writeStringProperty("body", parts.body());
            json.writeEndObject();
        }
        return out.toByteArray();
    }

    private static void fields(JsonGenerator json, Map<String, String> fields) {
        json.writeObjectPropertyStart("headers");
        fields.forEach(json::writeStringProperty);
        json.writeEndObject();
    }

    private static void cookies(JsonGenerator json, List<String> cookies) {
        if (!cookies.isEmpty()) {
            json.writeArrayPropertyStart("cookies");
            cookies.forEach(json::writeString);
            json.writeEndArray();
        }
    }
}
