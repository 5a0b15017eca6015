package dev.tenure.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Targets that try to leave the served directory: 404 each, or 400 where they are not of the syntax of RFC 3986;
/// legal names of any letters are served.
@ExtendWith(LeakCheck.class)
class C093_TraversalTest {
    private static final String SECRET = "outside";
    private static final List<String> TARGETS = List.of(
            "/../secret.txt",
            "/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/%2E%2E/secret.txt",
            "/.%2e/secret.txt",
            "/%2e./secret.txt",
            "/sub/../../secret.txt",
            "/sub/%2e%2e/%2e%2e/secret.txt",
            "/%2e%2e%2fsecret.txt",
            "/..%2fsecret.txt",
            "/..%2Fsecret.txt",
            "/%2e%2e%5csecret.txt",
            "/..%5csecret.txt",
            "/..\\secret.txt",
            "/%252e%252e/secret.txt",
            "/%252e%252e%252fsecret.txt",
            "/..%252fsecret.txt",
            "/%25%32%65%25%32%65/secret.txt",
            "/%c0%ae%c0%ae/secret.txt",
            "/%c0%ae%c0%ae%c0%afsecret.txt",
            "/..%c0%afsecret.txt",
            "/%e0%80%ae%e0%80%ae/secret.txt",
            "/%f0%80%80%ae/secret.txt",
            "/%u002e%u002e/secret.txt",
            "/..%00/secret.txt",
            "/%00",
            "/inside.txt%00",
            "/inside.txt%00.html",
            "/..;/secret.txt",
            "/..;x=y/secret.txt",
            "/;/../secret.txt",
            "/sub;/../../secret.txt",
            "//secret.txt",
            "//../secret.txt",
            "///secret.txt",
            "/sub//../../secret.txt",
            "/sub//inside.txt",
            "/./inside.txt",
            "/%2e/inside.txt",
            "/sub/./inside.txt",
            "/C:/secret.txt",
            "/c:%5csecret.txt",
            "/file:/secret.txt",
            "/file:///secret.txt",
            "/http://h/secret.txt",
            "/%2fsecret.txt",
            "/%2f%2e%2e%2fsecret.txt",
            "/%5c%5chost%5csecret.txt",
            "/...",
            "/.../secret.txt",
            "/..../secret.txt",
            "/inside.txt.",
            "/inside.txt...",
            "/inside.txt%20",
            "/inside.txt/",
            "/inside.txt/..",
            "/sub",
            "/sub%2finside.txt",
            "/../root-sibling/secret.txt",
            "/%2e%2e/root-sibling/secret.txt",
            "/..%2froot-sibling/secret.txt",
            "/.hidden",
            "/%2ehidden",
            "/sub/.hidden",
            "/.git/config",
            "/~/secret.txt",
            "/%",
            "/%2",
            "/%zz",
            "/inside.txt%",
            "/inside%0d%0aX: y.txt",
            "/\u007f",
            "/in\tside.txt",
            "/%7f",
            "/%80");

    /// What is not of the syntax of RFC 3986.
    private static final Set<String> MALFORMED = Set.of(
            "/..\\secret.txt",
            "/%u002e%u002e/secret.txt",
            "/%",
            "/%2",
            "/%zz",
            "/inside.txt%",
            "/inside%0d%0aX: y.txt",
            "/\u007f",
            "/in\tside.txt");

    @TempDir
    private Path temp;

    private Path root = Path.of("");

    @BeforeEach
    void lay() throws IOException {
        root = Files.createDirectories(temp.resolve("root"));
        write(temp.resolve("secret.txt"), SECRET);
        write(temp.resolve("root-sibling/secret.txt"), SECRET);
        write(root.resolve("inside.txt"), "inside");
        write(root.resolve("sub/inside.txt"), "inside");
        write(root.resolve(".hidden"), SECRET);
        write(root.resolve("sub/.hidden"), SECRET);
        write(root.resolve(".git/config"), SECRET);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void targets_thatTryToLeave_are404_orMalformed400() throws IOException {
        assertThat(TARGETS).hasSizeGreaterThanOrEqualTo(60).containsAll(MALFORMED);
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", StaticFiles.in(root)))) {
            for (String target : TARGETS) {
                try (var client = server.connect()) {
                    var answer = client.get(target);
                    assertThat(answer.status()).as(target).isEqualTo(MALFORMED.contains(target) ? 400 : 404);
                    assertThat(answer.text()).as(target).doesNotContain(SECRET);
                }
            }
            assertThat(server.failures()).isEmpty();
        }
    }

    @Test
    void legalNames_areServed() throws IOException {
        var names = List.of(
                "inside.txt",
                "100%.txt",
                "a+b.txt",
                "a b.txt",
                "ä ö ü.txt",
                "日本語.txt",
                "a;b=c.txt",
                "a..b",
                "a,b&c.txt",
                "'q'.txt");
        for (String name : names) {
            write(root.resolve("sub").resolve(name), name);
        }
        try (var server = TestServer.serving(routes -> routes.get("/files/{path...}", StaticFiles.in(root)));
                var client = server.connect()) {
            for (String name : names) {
                String encoded = URLEncoder.encode(name, UTF_8).replace("+", "%20");
                var answer = client.get("/files/sub/" + encoded);
                assertThat(answer.status()).as(name).isEqualTo(200);
                assertThat(new String(answer.body(), UTF_8)).isEqualTo(name);
            }
            assertThat(client.get("/files/sub/a+b.txt").text()).isEqualTo("a+b.txt");
            byte[] raw = "GET /files/sub/\u00e4 HTTP/1.1\r\nHost: h\r\n\r\n".getBytes(ISO_8859_1);
            assertThat(client.send(raw).read().status())
                    .as("raw bytes beyond ASCII")
                    .isEqualTo(400);
        }
    }
}
