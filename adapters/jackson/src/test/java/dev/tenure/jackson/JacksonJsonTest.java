package dev.tenure.jackson;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.http.HttpStatusException;
import dev.tenure.http.JsonCodec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JacksonJsonTest {
    private final JsonCodec json = JacksonJson.create();

    record Photo(String id, List<Integer> sizes) {}

    @Test
    void write_record_isUtf8Json() {
        assertThat(new String(json.write(new Photo("ä", List.of(1, 2))), UTF_8))
                .isEqualTo("{\"id\":\"ä\",\"sizes\":[1,2]}");
    }

    @Test
    void read_whatWasWritten_isTheSame() {
        var photo = new Photo("x", List.of(3));
        assertThat(json.read(json.write(photo), Photo.class)).isEqualTo(photo);
    }

    @Test
    void read_unknownProperty_isIgnored() {
        assertThat(json.read("{\"id\":\"x\",\"new\":1}".getBytes(UTF_8), Photo.class)
                        .id())
                .isEqualTo("x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"id\":\"x\"} {}", "null", "{\"sizes\":\"secret\"}"})
    void read_whatIsNotIt_is400WithoutItsText(String text) {
        assertThatThrownBy(() -> json.read(text.getBytes(UTF_8), Photo.class))
                .isInstanceOfSatisfying(
                        HttpStatusException.class,
                        failure -> assertThat(failure.status()).isEqualTo(400))
                .hasMessageNotContaining("secret");
    }

    @Test
    void nesting_of64Levels_isTaken_andOf65Refused() {
        var levels64 = "[".repeat(64) + "]".repeat(64);
        assertThat(new String(json.write(json.read(levels64.getBytes(UTF_8), Object.class)), UTF_8))
                .isEqualTo(levels64);
        var levels65 = ("[" + levels64 + "]").getBytes(UTF_8);
        assertThatThrownBy(() -> json.read(levels65, Object.class))
                .isInstanceOfSatisfying(
                        HttpStatusException.class,
                        failure -> assertThat(failure.status()).isEqualTo(400));
        Object deep = json.read(levels64.getBytes(UTF_8), Object.class);
        assertThatThrownBy(() -> json.write(List.of(deep))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void write_whatCannotBeWritten_namesItsType() {
        var endless = new ArrayList<Object>();
        endless.add(endless);
        assertThatThrownBy(() -> json.write(endless))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("json: a java.util.ArrayList (expected: a value that Jackson can write)");
    }
}
