package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.host.ConfigurationError;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(LeakCheck.class)
class StaticFilesTest {
    @TempDir
    private Path root;

    private TestServer server() {
        return TestServer.serving(routes -> routes.get("/{path...}", StaticFiles.in(root)));
    }

    @Test
    void file_unchanged_is304() throws IOException {
        Files.writeString(root.resolve("a.txt"), "0123456789");
        try (var server = server();
                var client = server.connect()) {
            var answer = client.get("/a.txt");
            assertThat(answer.field("content-type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(answer.field("accept-ranges")).isEqualTo("bytes");
            String tag = answer.field("etag");
            String date = answer.field("last-modified");
            var same = client.get("/a.txt", "If-None-Match: \"x\", W/" + tag);
            assertThat(same.status()).isEqualTo(304);
            assertThat(same.field("etag")).isEqualTo(tag);
            assertThat(same.field("content-length")).isEmpty();
            assertThat(client.get("/a.txt", "If-None-Match: *").status()).isEqualTo(304);
            assertThat(client.get("/a.txt", "If-Modified-Since: " + date).status())
                    .isEqualTo(304);
            assertThat(client.get("/a.txt", "If-None-Match: \"x\"", "If-Modified-Since: " + date)
                            .status())
                    .isEqualTo(200);
            Files.writeString(root.resolve("a.txt"), "changed, and longer");
            assertThat(client.get("/a.txt", "If-None-Match: " + tag).status()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0 | 206 | 0 | bytes 0-0/10",
                "bytes=2-4 | 206 | 234 | bytes 2-4/10",
                "bytes=7- | 206 | 789 | bytes 7-9/10",
                "bytes=-2 | 206 | 89 | bytes 8-9/10",
                "bytes=-99 | 206 | 0123456789 | bytes 0-9/10",
                "bytes=5-99999999999999999999 | 206 | 56789 | bytes 5-9/10",
                "bytes=10- | 416 | 416 the range has none of the 10 bytes that there are | bytes */10",
                "bytes=-0 | 416 | 416 the range has none of the 10 bytes that there are | bytes */10",
                "bytes=0-0,2-2 | 200 | 0123456789 | ''",
                "bytes=4-2 | 200 | 0123456789 | ''",
                "bytes=x-2 | 200 | 0123456789 | ''",
                "lines=0-1 | 200 | 0123456789 | ''",
                "bytes=- | 200 | 0123456789 | ''",
            })
    void range_isAnsweredByTheLetter(String range, int status, String body, String said) throws IOException {
        Files.writeString(root.resolve("a.txt"), "0123456789");
        try (var server = server();
                var client = server.connect()) {
            var answer = client.get("/a.txt", "Range: " + range);
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.text().strip()).isEqualTo(body);
            assertThat(answer.field("content-range")).isEqualTo(said);
        }
    }

    @Test
    void range_ofSomethingElse_isTheWhole() throws IOException {
        Files.writeString(root.resolve("a.txt"), "0123456789");
        try (var server = server();
                var client = server.connect()) {
            var whole = client.get("/a.txt");
            String tag = whole.field("etag");
            assertThat(client.get("/a.txt", "Range: bytes=1-1", "If-Range: " + tag)
                            .status())
                    .isEqualTo(206);
            assertThat(client.get("/a.txt", "Range: bytes=1-1", "If-Range: \"x\"")
                            .status())
                    .isEqualTo(200);
            String date = whole.field("last-modified");
            assertThat(client.get("/a.txt", "Range: bytes=1-1", "If-Range: " + date)
                            .status())
                    .isEqualTo(206);
        }
    }

    @Test
    void head_hasTheHeadAlone() throws IOException {
        Files.write(root.resolve("a.bin"), new byte[100_000]);
        try (var server = server();
                var client = server.connect()) {
            var answer = client.send(request("HEAD", "/a.bin")).readHeadOnly();
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.field("content-length")).isEqualTo("100000");
            assertThat(client.get("/a.bin").body()).hasSize(100_000);
        }
    }

    @Test
    void index_standsForItsDirectory() throws IOException {
        Files.createDirectory(root.resolve("sub"));
        Files.writeString(root.resolve("index.html"), "top");
        Files.writeString(root.resolve("sub/index.html"), "sub");
        try (var server = server();
                var client = server.connect()) {
            assertThat(client.get("/").text()).isEqualTo("top");
            assertThat(client.get("/sub/").text()).isEqualTo("sub");
            assertThat(client.get("/sub").status()).isEqualTo(404);
            assertThat(client.send(request("POST", "/x", "Content-Length: 0"))
                            .read()
                            .status())
                    .isEqualTo(405);
        }
    }

    @Test
    void in_whatIsNoDirectory_isAConfigurationError() {
        assertThatThrownBy(() -> StaticFiles.in(root.resolve("missing")))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageStartingWith("static files: " + root.resolve("missing") + " (expected: a directory");
        assertThatThrownBy(() -> StaticFiles.onClassPath("../web"))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("static files: ../web");
    }

    @Test
    void classPath_foldersAndJars_areServed() throws IOException {
        Path jar = root.resolve("app.jar");
        try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String name : new String[] {"web/", "web/app.js", "web/sub/", "web/sub/a.txt", "secret.txt"}) {
                out.putNextEntry(new JarEntry(name));
                out.write(name.endsWith("/") ? new byte[0] : name.getBytes(UTF_8));
            }
        }
        Path folder = Files.createDirectories(root.resolve("classes/web/sub"));
        Files.writeString(folder.resolve("a.txt"), "web/sub/a.txt");
        Files.writeString(root.resolve("classes/web/app.js"), "web/app.js");
        for (Path place : new Path[] {jar, root.resolve("classes")}) {
            try (var loader = new URLClassLoader(new URL[] {place.toUri().toURL()}, null);
                    var server = TestServer.serving(
                            routes -> routes.get("/{path...}", StaticFiles.onClassPath("web", loader)));
                    var client = server.connect()) {
                var answer = client.get("/app.js");
                assertThat(answer.text()).isEqualTo("web/app.js");
                assertThat(answer.field("content-type")).startsWith("text/javascript");
                assertThat(client.get("/app.js", "If-None-Match: " + answer.field("etag"))
                                .status())
                        .isEqualTo(304);
                assertThat(client.get("/sub/a.txt").text()).isEqualTo("web/sub/a.txt");
                for (String missing :
                        new String[] {"/sub", "/sub/", "/secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt"}) {
                    assertThat(client.get(missing).status()).as(missing).isIn(400, 404);
                }
            }
        }
    }
}
