package dev.tenure.uploads;

import static dev.tenure.uploads.FakeExchange.part;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Scope;
import dev.tenure.host.Host;
import dev.tenure.http.Exchange;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class ReadmeTest {
    @TempDir
    Path data;

    // tag::use
    /// A handler with its uploads, which come from `host.own(Uploads.in(directory).partBytesMax(32 << 20))`.
    record Photos(Uploads uploads, Path album) {
        Response upload(Exchange exchange) throws Exception {
            return uploads.onePart(
                    exchange,
                    "photo",
                    part -> { // called when the whole body has come
                        Files.copy(
                                part.file(), album.resolve("newest.jpg")); // the part's file is gone when this returns
                        return Response.created("/newest").empty();
                    });
        }
    }
    // end::use

    @Test
    void program_receivesAPhoto() throws Exception {
        try (var host = Host.named("readme").signals(false).start();
                var _ = Scope.open("exchange")) {
            var photos = new Photos(host.own(Uploads.in(data.resolve("parts")).partBytesMax(32 << 20)), data);
            var answer = photos.upload(FakeExchange.multipart(part("photo", "jpeg") + "--B--"));
            assertThat(answer.status()).isEqualTo(201);
            assertThat(data.resolve("newest.jpg")).hasContent("jpeg");
        }
    }
}
