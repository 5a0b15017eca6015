package dev.tenure.host.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonWriterTest {
    @Test
    void write_nestedValues_indentsThem() {
        var value = new LinkedHashMap<String, Object>();
        value.put("name", "photos");
        value.put("counts", List.of(1, 2L));
        value.put("ok", true);
        value.put("none", Map.of());
        value.put("nothing", List.of());

        assertThat(JsonWriter.write(value)).isEqualTo("""
                {
                  "name": "photos",
                  "counts": [
                    1,
                    2
                  ],
                  "ok": true,
                  "none": {},
                  "nothing": []
                }
                """);
    }

    @Test
    void write_textWithControlCharacters_escapesThem() {
        assertThat(JsonWriter.write("a\"b\\c\n\r\t\u0001\u2028\uD83D\uDE00"))
                .isEqualTo("\"a\\\"b\\\\c\\n\\r\\t\\u0001\\u2028\\ud83d\\ude00\"\n");
    }

    @Test
    void write_anotherType_isRefused() {
        assertThatThrownBy(() -> JsonWriter.write(new Object())).isInstanceOf(IllegalArgumentException.class);
    }
}
