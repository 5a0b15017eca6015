package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BodyReaderTest {
    private final StringBuilder got = new StringBuilder();

    private int feed(BodyReader body, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        return body.feed(
                bytes,
                0,
                bytes.length,
                (array, from, to) -> got.append(new String(array, from, to - from, ISO_8859_1)));
    }

    @Test
    void fixed_takesItsLengthAlone() {
        var body = new FixedBody(5);
        assertThat(feed(body, "abc")).isEqualTo(3);
        assertThat(body.done()).isFalse();
        assertThat(body.remaining()).isEqualTo(2);
        assertThat(feed(body, "defgh")).isEqualTo(2);
        assertThat(body.done()).isTrue();
        assertThat(got).hasToString("abcde");
    }

    @Test
    void chunked_anyFragments_giveTheSameBody() {
        String text = "5\r\nhello\r\nA;name=\"va;lue\"\r\n0123456789\r\n00\r\nTrailer: x\r\nOther:\r\n\r\n";
        byte[] bytes = (text + "NEXT").getBytes(ISO_8859_1);
        for (int seed = 0; seed < 500; seed++) {
            var random = new SplittableRandom(seed);
            int most = 1 + random.nextInt(text.length());
            var body = new ChunkedBody();
            var taken = new StringBuilder();
            int at = 0;
            while (!body.done()) {
                int to = Math.min(bytes.length, at + 1 + random.nextInt(most));
                at += body.feed(
                        bytes,
                        at,
                        to,
                        (array, from, end) -> taken.append(new String(array, from, end - from, ISO_8859_1)));
                assertThat(body.refusal()).as("seed %d", seed).isEmpty();
            }
            assertThat(at).as("seed %d", seed).isEqualTo(text.length());
            assertThat(taken).as("seed %d", seed).hasToString("hello0123456789");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\r\n",
                ";x\r\n",
                "g\r\n",
                "-1\r\n",
                "+1\r\n",
                "0x1\r\n",
                "1 \r\n",
                " 1\r\n",
                "1\n",
                "1;a\nb\r\n",
                "1\r\nab\r\n",
                "1\r\na\n",
                "1\r\na\rb",
                "1234567890123456\r\n",
                "0\r\n X: 1\r\n\r\n",
                "0\r\nX\r\n\r\n",
                "0\r\nX: a\nY: b\r\n\r\n",
                "0\r\n\rX",
                "1\rx"
            })
    void chunked_malformed_is400(String text) {
        var body = new ChunkedBody();
        feed(body, text);
        assertThat(body.refusal().map(Refusal::status)).contains(400);
        assertThat(body.done()).isFalse();
        assertThat(feed(body, "0\r\n\r\n")).isZero();
    }

    @Test
    void chunked_longLine_is400AndManyTrailers431() {
        var line = new ChunkedBody();
        feed(line, "1;" + "x".repeat(1_025) + "\r\n");
        assertThat(line.refusal().map(Refusal::status)).contains(400);
        var many = new ChunkedBody();
        feed(many, "0\r\n" + "X: 1\r\n".repeat(65) + "\r\n");
        assertThat(many.refusal().map(Refusal::status)).contains(431);
        var large = new ChunkedBody();
        feed(large, "0\r\nX: " + "1".repeat(16_400) + "\r\n\r\n");
        assertThat(large.refusal().map(Refusal::status)).contains(431);
    }
}
