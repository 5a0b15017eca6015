package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.internal.wire.HeadParser.State;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HeadParserTest {
    private static final String GET = "GET /a/b?c=d HTTP/1.1\r\nHost: h\r\nX-One:  1 \r\nx-two:\r\n\r\n";
    private final HeadParser parser = new HeadParser(WireLimits.defaults());

    private static byte[] bytes(String text) {
        return text.getBytes(ISO_8859_1);
    }

    private int feed(String text) {
        byte[] bytes = bytes(text);
        return parser.feed(bytes, 0, bytes.length);
    }

    private int status(String text) {
        feed(text);
        return parser.refusal().map(Refusal::status).orElse(0);
    }

    @Test
    void feed_wholeHead_takesItAndNothingBeyond() {
        assertThat(feed(GET + "BODY")).isEqualTo(GET.length());
        assertThat(parser.state()).isEqualTo(State.COMPLETE);
        RequestHead head = parser.take();
        assertThat(head.method()).isEqualTo("GET");
        assertThat(head.target()).isEqualTo("/a/b?c=d");
        assertThat(head.header("x-ONE")).contains("1");
        assertThat(head.header("X-Two")).contains("");
        assertThat(head.header("x-three")).isEmpty();
        assertThat(head.contentLength()).isZero();
        assertThat(head.keepAlive()).isTrue();
        assertThat(parser.state()).isEqualTo(State.EMPTY);
    }

    @Test
    void feed_anyFragments_giveTheSameHeads() {
        String two = GET + "\r\nPOST /x HTTP/1.0\r\nContent-Length: 3\r\nConnection: Keep-Alive, x\r\n\r\n";
        byte[] bytes = bytes(two);
        for (int seed = 0; seed < 500; seed++) {
            var random = new SplittableRandom(seed);
            int most = 1 + random.nextInt(two.length());
            var fresh = new HeadParser(WireLimits.defaults());
            var seen = new StringBuilder();
            int at = 0;
            while (at < bytes.length) {
                int to = Math.min(bytes.length, at + 1 + random.nextInt(most));
                at += fresh.feed(bytes, at, to);
                if (fresh.state() == State.COMPLETE) {
                    RequestHead head = fresh.take();
                    seen.append(String.format(
                            Locale.ROOT,
                            "%s %s %d %s;",
                            head.method(),
                            head.target(),
                            head.contentLength(),
                            head.keepAlive()));
                }
            }
            assertThat(seen.toString()).as("seed %d", seed).isEqualTo("GET /a/b?c=d 0 true;POST /x 3 true;");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET http://h:80/a?b HTTP/1.1, /a?b",
        "GET HTTPS://h HTTP/1.1, /",
        "GET http://h?x HTTP/1.1, /?x",
        "OPTIONS * HTTP/1.1, *",
        "GET //a HTTP/1.1, //a",
    })
    void take_anyFormOfTarget_isInOriginForm(String line, String target) {
        feed(line + "\r\nHost: h\r\n\r\n");
        assertThat(parser.take().target()).isEqualTo(target);
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/2.0, 505",
        "GET / HTTP/1.2x, 400",
        "GET / http/1.1, 400",
        "GET / HTTP/1., 400",
        "GET /, 400",
        "GET  / HTTP/1.1, 400",
        "GET / HTTP/1.1 x, 400",
        "get / HTTP/1.1, 501",
        "BREW / HTTP/1.1, 501",
        "CONNECT h:1 HTTP/1.1, 501",
        "G(T / HTTP/1.1, 400",
        "GET a HTTP/1.1, 400",
        "GET * HTTP/1.1, 400",
        "GET ftp://h/ HTTP/1.1, 400",
        "GET http:///a HTTP/1.1, 400",
        "GET /a#b HTTP/1.1, 400",
        "GET /a\\b HTTP/1.1, 400",
    })
    void requestLine_malformedOrUnknown_isRefused(String line, int status) {
        assertThat(status(line + "\r\nHost: h\r\n\r\n")).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host: h\r\nX : 1",
                "Host: h\r\n X: 1",
                "Host: h\r\nX: 1\r\n folded",
                "Host: h\r\nX: 1\r\n\tfolded",
                "Host: h\r\nX",
                "Host: h\r\n: 1",
                "Host: h\r\nX: a\nY: b",
                "Host: h\r\nX: a\rY: b",
                "Host: h\r\nX: a\0b",
                "Host: h\r\nX: a\u007fb",
                "Host: h\r\nX: a\u0001b",
                "Host: h\r\nX\u00e9: 1",
                "Host: h\r\nHost: h",
                "Host: h/x",
                "Host: a b",
                "Host: u@h",
                "X: no host",
            })
    void fields_malformed_are400(String fields) {
        assertThat(status("GET / HTTP/1.1\r\n" + fields + "\r\n\r\n")).isEqualTo(400);
    }

    @Test
    void host_missing_isFineInHttp10() {
        assertThat(status("GET / HTTP/1.0\r\n\r\n")).isZero();
        assertThat(parser.take().keepAlive()).isFalse();
    }

    @Test
    void emptyLine_before_isSkippedOnce() {
        assertThat(status("\r\n" + GET)).isZero();
        assertThat(parser.take().method()).isEqualTo("GET");
        assertThat(status("\r\n\r\n" + GET)).isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource({"8192, 0", "8193, 414"})
    void requestLine_atItsLimit(int bytes, int status) {
        int path = bytes - "GET / HTTP/1.1".length();
        assertThat(status("GET /" + "a".repeat(path) + " HTTP/1.1\r\nHost: h\r\n\r\n"))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"8192, 0", "8193, 431"})
    void fieldLine_atItsLimit(int bytes, int status) {
        assertThat(status("GET / HTTP/1.1\r\nHost: h\r\nX: " + "a".repeat(bytes - 3) + "\r\n\r\n"))
                .isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"100, 0", "101, 431"})
    void fields_atTheirLimit(int fields, int status) {
        String more = "X: 1\r\n".repeat(fields - 1);
        assertThat(status("GET / HTTP/1.1\r\nHost: h\r\n" + more + "\r\n")).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"32768, 0", "32769, 431"})
    void head_atItsLimit(int bytes, int status) {
        var head = new StringBuilder("GET / HTTP/1.1\r\nHost: h\r\n");
        while (bytes - head.length() > 8_000) {
            head.append("X: ").append("a".repeat(7_000)).append("\r\n");
        }
        head.append("X: ").append("a".repeat(bytes - head.length() - 4)).append("\r\n\r\n");
        assertThat(head.length()).isEqualTo(bytes);
        assertThat(status(head.toString())).isEqualTo(status);
    }

    @Test
    void endless_lineWithoutAnEnd_isRefusedWithoutKeepingIt() {
        for (int i = 0; i < 100_000 && parser.refusal().isEmpty(); i++) {
            feed("a");
        }
        assertThat(parser.refusal().map(Refusal::status)).contains(414);
        assertThat(feed("more")).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\0", "\u0016\u0003\u0001\u0002\0", "GET / HTTP/1.1\n"})
    void garbage_isRefusedAtOnce(String text) {
        assertThat(status(text)).isEqualTo(400);
    }

    @Test
    void expectation_otherThanContinue_is417() {
        assertThat(status("POST / HTTP/1.1\r\nHost: h\r\nExpect: tea\r\n\r\n")).isEqualTo(417);
    }

    @Test
    void random_bytes_neverBreakIt() {
        for (int seed = 0; seed < 2_000; seed++) {
            var random = new SplittableRandom(seed);
            byte[] noise = bytes(GET);
            for (int i = 0; i < 3; i++) {
                noise[random.nextInt(noise.length)] = (byte) random.nextInt(256);
            }
            var fresh = new HeadParser(WireLimits.defaults());
            int taken = fresh.feed(noise, 0, noise.length);
            assertThat(taken).as("seed %d", seed).isBetween(0, noise.length);
        }
    }
}
