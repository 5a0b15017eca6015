package dev.tenure.uploads.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MultipartParserTest {
    private static final String HEAD = "Content-Disposition: form-data; name=\"a\"\r\n\r\n";

    @Test
    void body_ofTwoParts_givesThemInOrder() {
        var body = "--B\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a b.jpg\"\r\n"
                + "Content-Type: image/jpeg\r\n\r\nxyz\r\n--B\r\n" + HEAD + "\r\n\r\n--B--\r\n";
        assertThat(Driven.all(body, body.length()))
                .containsExactly(
                        "part photo a b.jpg image/jpeg",
                        "ended [xyz]",
                        "part a - text/plain",
                        "ended [\r\n]",
                        "finished");
    }

    @Test
    void body_whateverTheFragments_saysTheSame() {
        var tricky = "\r\r\n\r\n-\r\n--\r\n--b\r\n--\r\r\n-B\r\n--C--B";
        var body = "preamble\r\n--\r\n--B \t\r\n" + HEAD + tricky + "\r\n--B\r\nX-Other: 1\r\n" + HEAD + "\r\n--B\r\n"
                + HEAD + "--B\r\n" + HEAD + tricky + tricky + "\r\n--B--  \r\nepilogue\r\n--B\r\n";
        var whole = Driven.all(body, body.length());
        assertThat(whole)
                .containsExactly(
                        "part a - text/plain",
                        "ended [" + tricky + "]",
                        "part a - text/plain",
                        "ended []",
                        "part a - text/plain",
                        "ended []",
                        "part a - text/plain",
                        "ended [" + tricky + tricky + "]",
                        "finished");
        for (var size = 1; size < body.length(); size++) {
            assertThat(Driven.all(body, size)).as("fragments of %d", size).isEqualTo(whole);
        }
    }

    @Test
    void body_ofRandomContent_comesOutAsItWentIn() {
        var seed = new Random().nextLong();
        var random = new Random(seed);
        for (var round = 0; round < 2_000; round++) {
            var one = randomContent(random);
            var two = randomContent(random);
            var body = "--B\r\n" + HEAD + one + "\r\n--B\r\n" + HEAD + two + "\r\n--B--";
            assertThat(Driven.all(body, 1 + random.nextInt(body.length())))
                    .as("seed %d, round %d", seed, round)
                    .containsExactly(
                            "part a - text/plain",
                            "ended [" + one + "]",
                            "part a - text/plain",
                            "ended [" + two + "]",
                            "finished");
        }
    }

    private static String randomContent(Random random) {
        var alphabet = "\r\n-B x";
        var text = new StringBuilder();
        for (var n = random.nextInt(40); n > 0; n--) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        var content = text.toString();
        return content.startsWith("--B") || content.contains("\r\n--B") ? "" : content;
    }

    @Test
    void body_ofRandomBytes_neverThrows() {
        var seed = new Random().nextLong();
        var random = new Random(seed);
        for (var round = 0; round < 5_000; round++) {
            var body = new StringBuilder(random.nextBoolean() ? "--B\r\n" : "");
            for (var n = random.nextInt(12); n > 0; n--) {
                body.append(List.of("--B", "--", "\r\n", "\r", "\n", ":", HEAD, "x", " ", "\u00ff", "; name=")
                        .get(random.nextInt(11)));
            }
            var said = Driven.all(body.toString(), 1 + random.nextInt(7));
            assertThat(said).as("seed %d, round %d: %s", seed, round, body).isNotEmpty();
            assertThat(said.getLast()).matches("finished|MALFORMED: .*|TOO_LARGE: .*");
        }
    }

    @Test
    void body_withoutAnyPart_isAnEmptyForm() {
        assertThat(Driven.all("--B--\r\n", 100)).containsExactly("finished");
        assertThat(Driven.all("--B--", 1)).containsExactly("finished");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "no boundary at all",
                "--A\r\n" + "Content-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--A--",
                "--B\r\n" + HEAD + "cut",
                "--B\r\n" + HEAD + "cut\r\n--",
                "--B\r\n" + HEAD + "cut\r\n--B",
                "--B\r\n" + HEAD + "cut\r\n--B\r\n",
                "--B\r\n" + HEAD + "cut\r\n--B-",
                "--B\r\nContent-Disp",
                "--B\r\n" + HEAD + "x\r\n--Bother\r\n",
                "--B\r\n" + HEAD + "x\r\n--B-x",
                "--B\r\n" + HEAD + "x\r\n--B--x",
                "--B\r\n" + HEAD + "x\r\n--B--\rx",
                "--B\r\n" + HEAD + "x\r\n--B--\r",
                "--B\n" + HEAD + "x\r\n--B--",
                "--B\r\nno colon\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition : form-data; name=\"a\"\r\n\r\nx\r\n--B--",
                "--B\r\n: form-data\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data;\r\n name=\"a\"\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"\r\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\u0000\"\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\u00ff\"\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\"; name=\"b\"\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; name=\"a\" x\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--B--",
                "--B\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--",
                "--B\r\nContent-Type: a/b\r\nContent-Type: a/c\r\n" + HEAD + "x\r\n--B--",
                "--B\r\nContent-Type: Multipart/mixed; boundary=C\r\n" + HEAD + "x\r\n--B--",
                "--B\r\nContent-Transfer-Encoding: base64\r\n" + HEAD + "x\r\n--B--",
            })
    void body_thatIsBroken_isRefusedAsMalformed(String body) {
        var whole = Driven.all(body, Math.max(1, body.length()));
        assertThat(whole.getLast()).startsWith("MALFORMED: ");
        assertThat(Driven.all(body, 1)).isEqualTo(whole);
    }

    @Test
    void limits_atTheEdge_passAndOneMoreIsRefused() {
        var limits = new MultipartLimits(2, HEAD.length(), 3, 1000);
        var part = "--B\r\n" + HEAD + "xyz\r\n";
        assertThat(Driven.all(part + part + "--B--", limits, 5)).endsWith("finished");
        assertThat(Driven.all(part + part + part + "--B--", limits, 5).getLast())
                .isEqualTo("TOO_LARGE: the body has more than 2 parts");
        assertThat(Driven.all("--B\r\n" + HEAD + "wxyz\r\n--B--", limits, 5).getLast())
                .isEqualTo("TOO_LARGE: part 1 has more than 3 bytes");
        assertThat(Driven.all("--B\r\nX: 1\r\n" + HEAD + "x\r\n--B--", limits, 5)
                        .getLast())
                .isEqualTo("TOO_LARGE: the head of a part has more than " + HEAD.length() + " bytes");
    }

    @Test
    void limit_ofAllBytes_countsWhateverIsRead() {
        var body = "--B\r\n" + HEAD + "x\r\n--B--";
        var exact = new MultipartLimits(1, 100, 100, body.length());
        assertThat(Driven.all(body, exact, 7)).endsWith("finished");
        assertThat(Driven.all(body + "\r\n", exact, 7).getLast())
                .isEqualTo("TOO_LARGE: the body has more than " + body.length() + " bytes");
        assertThat(Driven.all("preamble".repeat(20), exact, 7).getLast()).startsWith("TOO_LARGE");
    }

    @Test
    void content_thatLooksLikeAPart_neverEndsOne() {
        var parser = new MultipartParser(Driven.boundary("B"), new MultipartLimits(1, 300, 1 << 20, 2 << 20));
        var noise = "\r\n--b\r\n-".repeat(20_000);
        var body = ("--B\r\n" + HEAD + noise + "\r\n--B--").getBytes(StandardCharsets.ISO_8859_1);
        assertThat(new Driven().run(parser, body, 8192)).contains("ended [" + noise + "]");
    }

    @Test
    void next_afterARefusal_saysTheSameAgain() {
        var parser = new MultipartParser(Driven.boundary("B"), Driven.LIMITS);
        var in = ByteBuffer.wrap("--B?".getBytes(StandardCharsets.US_ASCII));
        var refused = parser.next(in);
        assertThat(refused).isInstanceOf(Event.Refused.class);
        assertThat(parser.next(in)).isSameAs(refused);
        assertThat(parser.end()).isSameAs(refused);
    }
}
