package dev.tenure.http;

import static dev.tenure.http.RawClient.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Deadline;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// Downloads that end in the middle: no descriptor stays open, and no short body passes for a whole one.
@ExtendWith(LeakCheck.class)
class C097_DownloadsTest {
    private static final long SIZE = 100L * 1024 * 1024;
    private static final int DOWNLOADS = Boolean.getBoolean("tenure.soak") ? 500 : 60;

    @TempDir
    private Path root;

    private void sparse(long size) throws IOException {
        try (var file = new RandomAccessFile(root.resolve("big.bin").toFile(), "rw")) {
            file.setLength(size);
        }
    }

    private long open() throws IOException {
        try (var list = Files.list(Path.of("/proc/self/fd"))) {
            return list.filter(this::isOurs).count();
        }
    }

    private boolean isOurs(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).startsWith(root.toRealPath());
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void clients_thatLeaveAnywhere_leaveNothingOpen() throws IOException {
        sparse(SIZE);
        var random = new SplittableRandom(97);
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", StaticFiles.in(root)))) {
            var halfClosed = new ArrayList<RawClient>();
            for (int i = 0; i < DOWNLOADS; i++) {
                var client = server.connect();
                client.send(request("GET", "/big.bin"));
                assertThat(client.head()).contains("Content-Length: " + SIZE);
                for (int left = random.nextInt(50_000); left > 0; left--) {
                    client.readByte();
                }
                if (random.nextBoolean()) {
                    client.reset();
                } else {
                    client.fin();
                    halfClosed.add(client);
                }
            }
            var limit = Deadline.in(Duration.ofSeconds(2));
            while (open() > 0 || server.count("connections") > 0) {
                assertThat(limit.passed())
                        .as("after 2 s %d files and %d connections are open", open(), server.count("connections"))
                        .isFalse();
                Thread.onSpinWait();
            }
            for (var client : halfClosed) {
                client.close();
            }
            assertThat(halfClosed).hasSizeBetween(1, DOWNLOADS - 1);
            server.stop();
            assertThat(server.count("cancelled")).isEqualTo(DOWNLOADS);
            assertThat(server.count("retained")).isZero();
        }
    }

    @Test
    void source_truncatedWhileItIsSent_breaksTheAnswerOff() throws IOException {
        sparse(SIZE);
        try (var server = TestServer.serving(routes -> routes.get("/{path...}", StaticFiles.in(root)));
                var client = server.connect()) {
            client.send(request("GET", "/big.bin"));
            assertThat(client.head()).contains("200 OK");
            sparse(1_000_000);
            long got = 0;
            while (!client.isEnded()) {
                got++;
            }
            assertThat(got).isLessThan(SIZE);
            server.stop();
            assertThat(open()).isZero();
            assertThat(server.failures()).isNotEmpty();
        }
    }
}
