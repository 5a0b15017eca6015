package dev.tenure.uploads;

import static dev.tenure.uploads.FakeExchange.part;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Scope;
import dev.tenure.host.Host;
import dev.tenure.http.HttpStatusException;
import dev.tenure.http.Response;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A disk for parts that is full or refuses: `/dev/full` for everybody, and a real tmpfs as root.
@ExtendWith(LeakCheck.class)
class UploadStorageTest {
    @TempDir
    Path directory;

    @Test
    void part_onAFullDisk_is507AndItsFileIsGone() throws Exception {
        var full = new AtomicBoolean(true);
        try (var host = Host.named("test").signals(false).start()) {
            var uploads = host.own(Uploads.in(directory).partBytesMax(4_000_000).on(path -> {
                var real = PartFile.openNew(path);
                if (!full.get()) {
                    return real;
                }
                real.close();
                return FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE);
            }));
            assertRefused(uploads, 507, UploadStorageFull.class);
            assertThat(files()).isEmpty();
            full.set(false);
            assertThat(upload(uploads, "small").status()).isEqualTo(200);
        }
    }

    @Test
    void part_thatFillsATmpfs_is507AndItsFileIsGone() throws Exception {
        var mounted = run("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", directory.toString());
        System.out.println(
                "uploads: " + (mounted ? "a real tmpfs of 1 MiB" : "no right to mount: see /dev/full above"));
        try (var host = Host.named("test").signals(false).start()) {
            var uploads = host.own(Uploads.in(directory).partBytesMax(4_000_000));
            if (mounted) {
                assertRefused(uploads, 507, UploadStorageFull.class);
                assertThat(files()).isEmpty();
            }
            assertThat(upload(uploads, "small").status()).isEqualTo(200);
        } finally {
            if (mounted) {
                assertThat(run("umount", directory.toString())).isTrue();
            }
        }
    }

    @Test
    void part_onAReadOnlyDisk_is503() throws Exception {
        var readOnly = new AtomicBoolean(true);
        try (var host = Host.named("test").signals(false).start()) {
            var uploads = host.own(Uploads.in(directory).partBytesMax(4_000_000).on(path -> {
                if (readOnly.get()) {
                    throw new FileSystemException(path.toString(), "", "Read-only file system");
                }
                return PartFile.openNew(path);
            }));
            assertRefused(uploads, 503, UploadStorageUnavailable.class);
            assertThat(files()).isEmpty();
            readOnly.set(false);
            assertThat(upload(uploads, "small").status()).isEqualTo(200);
        }
    }

    private void assertRefused(Uploads uploads, int status, Class<? extends Throwable> cause) {
        assertThatThrownBy(() -> upload(uploads, "x".repeat(3_000_000)))
                .isInstanceOfSatisfying(HttpStatusException.class, answer -> {
                    assertThat(answer.status()).isEqualTo(status);
                    assertThat(answer.detail()).as("no internals").doesNotContain(directory.toString());
                })
                .cause()
                .isInstanceOf(cause)
                .hasMessageContaining(directory.toString());
        assertThat(uploads.holders()).isEmpty();
    }

    private static Response upload(Uploads uploads, String content) throws Exception {
        try (var _ = Scope.open("exchange")) {
            var exchange = FakeExchange.multipart(part("photo", content) + "--B--");
            return uploads.onePart(exchange, "photo", part -> Response.ok().empty());
        }
    }

    private Path processDirectory() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.filter(Files::isDirectory).findFirst().orElseThrow();
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> entries = Files.list(processDirectory())) {
            return entries.toList();
        }
    }

    /// False if there is no such program, or it failed.
    private static boolean run(String... command) throws InterruptedException {
        try {
            var process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .start();
            try (var output = process.getInputStream()) {
                output.readAllBytes();
            }
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        }
    }
}
