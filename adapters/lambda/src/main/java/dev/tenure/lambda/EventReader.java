package dev.tenure.lambda;

import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/// Reads events; what it does not know it passes over.
///
/// **Limits:** 7 MiB of JSON, 64 levels. **Fails:** [MalformedEvent].
final class EventReader {
    private static final int DOCUMENT_BYTES_MAX = 7 * 1_048_576;
    private static final int LEVELS_MAX = 64;
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(DOCUMENT_BYTES_MAX)
                    .maxStringLength(DOCUMENT_BYTES_MAX)
                    .maxNestingDepth(LEVELS_MAX)
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final JsonParser json;
    private final HttpEvent event = new HttpEvent();

    private EventReader(JsonParser json) {
        this.json = json;
    }

    static HttpEvent read(InputStream in) {
        try (var json = JSON.createParser(ObjectReadContext.empty(), in)) {
            var reader = new EventReader(json);
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new MalformedEvent("it is not a JSON object");
            }
            reader.members(reader::top);
            return reader.event.checked();
        } catch (StreamConstraintsException tooMuch) {
            throw new MalformedEvent(
                    "it has more than %d bytes or %d levels".formatted(DOCUMENT_BYTES_MAX, LEVELS_MAX), tooMuch);
        } catch (JacksonIOException broken) {
            throw new UncheckedIOException("the event could not be read", broken.getCause());
        } catch (JacksonException wrong) {
            throw new MalformedEvent("it is not JSON, from %d bytes on"
                    .formatted(Math.max(0, wrong.getLocation().getByteOffset())));
        }
    }

    /// Takes the members of the object that the parser is at the start of.
    private void members(Consumer<String> member) {
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            var name = json.currentName();
            json.nextToken();
            member.accept(name);
        }
    }

    private void top(String name) {
        switch (name) {
            case "version" -> text(name, event::version);
            case "rawPath" -> text(name, event::path);
            case "rawQueryString" -> text(name, event::query);
            case "body" -> text(name, event::body);
            case "isBase64Encoded" -> flag(name);
            case "cookies" -> cookies();
            case "headers" -> object(name, field -> text("headers." + field, value -> event.field(field, value)));
            case "requestContext" -> object(name, this::context);
            default -> json.skipChildren();
        }
    }

    private void context(String name) {
        if (name.equals("http")) {
            object("requestContext.http", this::http);
        } else {
            json.skipChildren();
        }
    }

    private void http(String name) {
        switch (name) {
            case "method" -> text("requestContext.http.method", event::method);
            case "sourceIp" -> text("requestContext.http.sourceIp", event::sourceIp);
            default -> json.skipChildren();
        }
    }

    private boolean absent() {
        return json.currentToken() == JsonToken.VALUE_NULL;
    }

    private void object(String name, Consumer<String> member) {
        if (json.currentToken() == JsonToken.START_OBJECT) {
            members(member);
        } else if (!absent()) {
            throw new MalformedEvent(name + " is not an object");
        }
    }

    private void text(String name, Consumer<String> taker) {
        if (json.currentToken() == JsonToken.VALUE_STRING) {
            taker.accept(json.getString());
        } else if (!absent()) {
            throw new MalformedEvent(name + " is not a string");
        }
    }

    private void flag(String name) {
        switch (json.currentToken()) {
            case VALUE_TRUE, VALUE_FALSE -> event.base64(json.currentToken() == JsonToken.VALUE_TRUE);
            case VALUE_NULL -> event.base64(false);
            default -> throw new MalformedEvent(name + " is neither true nor false");
        }
    }

    private void cookies() {
        if (absent()) {
            return;
        }
        if (json.currentToken() != JsonToken.START_ARRAY) {
            throw new MalformedEvent("cookies is not an array");
        }
        while (json.nextToken() != JsonToken.END_ARRAY) {
            text("cookies", event::cookie);
        }
    }
}
