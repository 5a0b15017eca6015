package dev.tenure.http.internal.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.http.internal.wire.HeadEncoder.Persistence;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeadEncoderTest {
    private final HeadEncoder encoder = new HeadEncoder();

    private String encoded(ResponseHead head, OutFraming framing, Persistence persistence) {
        int length = encoder.encode(head, framing, persistence);
        return new String(encoder.bytes(), 0, length, ISO_8859_1);
    }

    @Test
    void encode_length_isWritten() {
        encoder.date(Instant.parse("1994-11-06T08:49:37Z"));
        var head = new ResponseHead(200, new String[] {"X-A", "b\u00e9"}, 1234567890L);
        assertThat(encoded(head, OutFraming.LENGTH, Persistence.SILENT))
                .isEqualTo(String.join(
                        "\r\n",
                        "HTTP/1.1 200 OK",
                        "Date: Sun, 06 Nov 1994 08:49:37 GMT",
                        "X-A: b\u00e9",
                        "Content-Length: 1234567890",
                        "",
                        ""));
    }

    @Test
    void encode_otherFramings_sayNoLength() {
        var unknown = new ResponseHead(299, new String[0], ResponseHead.UNKNOWN);
        assertThat(encoded(unknown, OutFraming.CHUNKED, Persistence.CLOSE))
                .isEqualTo("HTTP/1.1 299 \r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
        assertThat(encoded(unknown, OutFraming.UNTIL_CLOSE, Persistence.KEEP))
                .isEqualTo("HTTP/1.1 299 \r\nConnection: keep-alive\r\n\r\n");
        var none = new ResponseHead(204, new String[0], 0);
        assertThat(encoded(none, OutFraming.NONE, Persistence.SILENT)).isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
        var head = new ResponseHead(200, new String[0], 0);
        assertThat(encoded(head, OutFraming.NONE, Persistence.SILENT))
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }

    @Test
    void dates_ofTheUsualForm_areReadBack() {
        var when = Instant.parse("2026-06-03T00:00:01Z");
        assertThat(HttpDates.parse(HttpDates.format(when))).contains(when);
        assertThat(HttpDates.format(when)).isEqualTo("Wed, 03 Jun 2026 00:00:01 GMT");
        assertThat(HttpDates.parse("Sunday, 06-Nov-94 08:49:37 GMT")).isEmpty();
    }
}
