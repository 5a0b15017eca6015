package dev.tenure.uploads.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadsTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data; boundary=abc",
                "Multipart/Form-Data;BOUNDARY=\"a b(c)\"; charset=utf-8",
                "multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW",
            })
    void boundary_asClientsSendIt_isRead(String type) {
        assertThat(Boundary.read(type)).isInstanceOf(Boundary.Valid.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "multipart/form-data",
                "multipart/form-data; boundary=",
                "multipart/form-data; boundary=\"\"",
                "multipart/form-data; boundary=\"a \"",
                "multipart/form-data; boundary=\"a\rb\"",
                "multipart/form-data; boundary=a; boundary=b",
                "multipart/form-data; boundary=\"a",
                "multipart/form-data; boundary=a{b",
                "multipart/form-data; boundary=aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg1",
            })
    void boundary_thatIsBroken_isInvalid(String type) {
        assertThat(Boundary.read(type)).isInstanceOf(Boundary.Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text/plain", "multipart/mixed; boundary=a", "multipart/form-dataX; boundary=a"})
    void boundary_ofAnotherType_isNone(String type) {
        assertThat(Boundary.read(type)).isInstanceOf(Boundary.OtherType.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "form-data; name=\"a\"; filename=\"C:\\temp\\x.jpg\" | C:\\temp\\x.jpg",
                "form-data; name=\"a\"; filename=\"q\\\"q.jpg\" | q\"q.jpg",
                "form-data; name=\"a\"; filename=\"back\\\\slash\" | back\\slash",
                "form-data; name=\"a\"; filename=\"../../escape\" | ../../escape",
                "form-data; name=\"a\"; filename=\"grüße; x=1.jpg\" | grüße; x=1.jpg",
                "form-data; name=a; filename=plain.jpg; | plain.jpg",
                "form-data; name=a; filename*=UTF-8''ignored.jpg | -",
                "form-data; name=a; filename=\"\" | ~~",
            })
    void filename_isWhatTheClientClaims(String disposition, String expected) {
        var read = PartHead.read(
                ByteBuffer.wrap(("Content-Disposition: " + disposition + "\r\n").getBytes(StandardCharsets.UTF_8)));
        assertThat(read).isInstanceOf(PartHead.Valid.class);
        var head = ((PartHead.Valid) read).head();
        assertThat(head.name()).isEqualTo("a");
        assertThat(head.filename().orElse("-")).isEqualTo(expected == null ? "" : expected);
    }

    @Test
    void parameters_withoutAValue_areNone() {
        assertThat(Parameters.parse("")).isEmpty();
        assertThat(Parameters.parse("; a=b")).isEmpty();
        assertThat(Parameters.parse("x; a")).isEmpty();
        assertThat(Parameters.parse("x; =b")).isEmpty();
        assertThat(Parameters.parse("x;; a=b")).isEmpty();
    }
}
