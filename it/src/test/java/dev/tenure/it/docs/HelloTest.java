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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /// One line and exit code 2, whatever is wrong with the arguments.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''       | arguments: [] (expected: a port and a database file)",
                "x h.db   | arguments: [x, h.db] (expected: a port and a database file)",
                "0        | arguments: [0] (expected: a port and a database file)",
                "99999 FOLDER/h.db | port: 99999 (expected: 0 to 65535)",
            })
    @Timeout(60)
    void hello_badArguments_areOneLine(String arguments, String line, @TempDir Path folder) throws Exception {
        var given = arguments.replace("FOLDER", folder.toString());
        try (var child = ChildJvm.start(Hello.class, given.isEmpty() ? new String[0] : given.split(" "))) {
            assertThat(child.awaitLine("err: ")).isEqualTo("err: " + line);
            assertThat(child.awaitExit()).isEqualTo(2);
        }
    }
}
