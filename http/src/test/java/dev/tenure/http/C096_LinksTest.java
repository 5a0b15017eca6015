package dev.tenure.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The root may be a link, resolved when the handler is made and at `reopen`; inside, no link is followed.
@ExtendWith(LeakCheck.class)
class C096_LinksTest {
    private static final int SIZE = 200_000;
    private static final int FLIPS = 50;

    @TempDir
    private Path temp;

    private Path current = Path.of("");

    @BeforeEach
    void lay() throws IOException {
        release("release-1", '1');
        release("release-2", '2');
        current = Files.createSymbolicLink(temp.resolve("current"), Path.of("release-1"));
    }

    private void release(String name, char content) throws IOException {
        byte[] bytes = new byte[SIZE];
        Arrays.fill(bytes, (byte) content);
        Files.createDirectories(temp.resolve(name + "/sub"));
        Files.write(temp.resolve(name + "/app.js"), bytes);
        Files.writeString(temp.resolve(name + "/sub/a.txt"), "a");
    }

    private void flipTo(String release) throws IOException {
        Path fresh = Files.createSymbolicLink(temp.resolve("next"), Path.of(release));
        Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void rootLink_flipped_countsAtReopenAlone() throws IOException {
        var files = StaticFiles.in(current);
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", files));
                var client = server.connect()) {
            assertThat(client.get("/app.js").body()).containsOnly('1').hasSize(SIZE);
            flipTo("release-2");
            assertThat(client.get("/app.js").body()).containsOnly('1').hasSize(SIZE);
            files.reopen();
            assertThat(client.get("/app.js").body()).containsOnly('2').hasSize(SIZE);
        }
    }

    @Test
    void rootLink_flippedUnderLoad_neverMixesReleases() throws Exception {
        var files = StaticFiles.in(current);
        var flipping = new AtomicBoolean(true);
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", files));
                var client = server.connect()) {
            var flipper = Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < FLIPS; i++) {
                        flipTo(i % 2 == 0 ? "release-2" : "release-1");
                        files.reopen();
                    }
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                } finally {
                    flipping.set(false);
                }
            });
            int asked = 0;
            while (flipping.get() || asked < FLIPS) {
                byte[] body = client.get("/app.js").body();
                assertThat(body).hasSize(SIZE).containsOnly(body[0]);
                asked++;
            }
            flipper.join();
        }
    }

    @Test
    void root_replacedByAnotherDirectory_isNotServed() throws IOException {
        var files = StaticFiles.in(temp.resolve("release-1"));
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", files));
                var client = server.connect()) {
            Files.move(temp.resolve("release-1"), temp.resolve("old"));
            assertThat(client.get("/app.js").status()).isEqualTo(404);
            Files.move(temp.resolve("release-2"), temp.resolve("release-1"));
            assertThat(client.get("/app.js").status()).isEqualTo(404);
            files.reopen();
            assertThat(client.get("/app.js").body()).containsOnly('2');
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "inside-link.txt",
                "outside-link.txt",
                "chain-1",
                "loop",
                "loop-directory/a.txt",
                "directory-link/a.txt",
                "outside-directory/secret.txt",
                "dangling"
            })
    void links_inside_areNotFollowed(String name) throws IOException {
        Path root = temp.resolve("release-1");
        Files.writeString(temp.resolve("secret.txt"), "secret");
        Files.createSymbolicLink(root.resolve("inside-link.txt"), Path.of("sub/a.txt"));
        Files.createSymbolicLink(root.resolve("outside-link.txt"), Path.of("../secret.txt"));
        Files.createSymbolicLink(root.resolve("chain-1"), Path.of("chain-2"));
        Files.createSymbolicLink(root.resolve("chain-2"), Path.of("sub/a.txt"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));
        Files.createSymbolicLink(root.resolve("loop-directory"), Path.of("."));
        Files.createSymbolicLink(root.resolve("directory-link"), Path.of("sub"));
        Files.createSymbolicLink(root.resolve("outside-directory"), temp);
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", StaticFiles.in(current)));
                var client = server.connect()) {
            assertThat(client.get("/" + name).status()).isEqualTo(404);
            assertThat(server.failures()).isEmpty();
        }
    }

    @Test
    void hardLink_inside_isAFileLikeAnother() throws IOException {
        Files.createLink(temp.resolve("release-1/hard.txt"), temp.resolve("release-1/sub/a.txt"));
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", StaticFiles.in(current)));
                var client = server.connect()) {
            assertThat(client.get("/hard.txt").text()).isEqualTo("a");
        }
    }
}
