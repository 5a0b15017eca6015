package dev.tenure.jackson;

import dev.tenure.http.HttpStatusException;
import dev.tenure.http.JsonCodec;
import java.util.Objects;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/// JSON bodies by Jackson 3: records and plain types.
///
/// **Owner:** nobody; it holds nothing that ends. **Threads:** any. **Limits:** 64 levels of nesting, both
/// ways, with [#create()]; else Jackson's own stream constraints. The body is bounded by its route. **Fails:**
/// [HttpStatusException] with 400 for what a client sent, without Jackson's
/// message; [IllegalArgumentException] for a value that can't be written.
public final class JacksonJson implements JsonCodec {
    private static final int DEPTH_MAX = 64;

    private final ObjectMapper mapper;

    private JacksonJson(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    /// A codec that refuses what follows a value, and more than 64 levels of arrays and objects. Unknown
    /// properties are ignored.
    ///
    /// @return the codec
    public static JacksonJson create() {
        var bounded = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .streamWriteConstraints(StreamWriteConstraints.builder()
                        .maxNestingDepth(DEPTH_MAX)
                        .build())
                .build();
        return with(JsonMapper.builder(bounded)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build());
    }

    /// A codec over a mapper of the application's.
    ///
    /// @param mapper used as it is
    /// @return the codec
    public static JacksonJson with(ObjectMapper mapper) {
        return new JacksonJson(Objects.requireNonNull(mapper, "mapper"));
    }

    @Override
    public byte[] write(Object value) {
        try {
            return mapper.writeValueAsBytes(value);
        } catch (JacksonException wrong) {
            throw new IllegalArgumentException(
                    "json: a %s (expected: a value that Jackson can write)"
                            .formatted(value.getClass().getName()),
                    wrong);
        }
    }

    @Override
    public <T> T read(byte[] json, Class<T> type) {
        try {
            T value = mapper.readValue(json, type);
            if (value == null) {
                throw new HttpStatusException(400, "the body is null where a value is expected");
            }
            return value;
        } catch (JacksonException wrong) {
            throw new HttpStatusException(400, "the body is not the JSON that is expected", wrong);
        }
    }
}
