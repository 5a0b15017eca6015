package dev.tenure.it.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.ChildJvm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The README's program answers, and stops as the README says.
class HelloTest {
    @Test
    @Timeout(60)
    void hello_answersAndStopsGracefully(@TempDir Path folder) throws Exception {
        try (var child = ChildJvm.start(
                        Hello.class, "0", folder.resolve("hello.db").toString());
                var client = HttpClient.newHttpClient()) {
            String url = child.awaitLine("http://");
            var answer = client.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("hello you");
            child.signal(ChildJvm.Signal.TERM);
            assertThat(child.awaitExit()).isZero();
            assertThat(child.awaitLine("err: hello stopped: GRACEFUL")).contains("by SIGTERM");
        }
    }
}
