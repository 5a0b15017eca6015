package dev.tenure.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.tenure.blobs.FaultyDisk.Effect;
import dev.tenure.core.Cancelled;
import dev.tenure.core.Canceller;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What is left when the disk, the source, a cancel or a fault at any ownership point ends an operation half-way.
@ExtendWith(LeakCheck.class)
class BlobFaultsTest {
    private static final List<String> POINTS = List.of(
            "stage/blob:before",
            "stage/blob:after",
            "force/blob:before",
            "force/blob:after",
            "place/blob:before",
            "place/blob:after",
            "publish/staged blob:before",
            "publish/staged blob:after",
            "acquire/blob:after",
            "publish/blob:before",
            "settle/blob:before",
            "settle/blob:after");

    @TempDir
    Path root;

    @ParameterizedTest
    @EnumSource(
            value = Effect.class,
            names = {"CREATE", "WRITE", "FORCE", "FORCE_DIRECTORY", "MOVE"})
    void publish_onAFullDisk_saysFullAndLeavesNothing(Effect effect) {
        try (var bench = Bench.on(root)) {
            bench.disk.fail(effect, 0, () -> new IOException("No space left on device"));
            assertThatThrownBy(() -> bench.publish("x"))
                    .isInstanceOf(BlobStorageFull.class)
                    .hasMessageContaining("blobs: ")
                    .hasMessageContaining(root.toString())
                    .hasMessageContaining("free space or raise the quota");
            assertNothingLeft(bench);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Effect.class,
            names = {"CREATE", "WRITE", "FORCE", "FORCE_DIRECTORY", "MOVE"})
    void publish_onAReadOnlyDisk_saysUnavailableAndLeavesNothing(Effect effect) {
        try (var bench = Bench.on(root)) {
            bench.disk.fail(effect, 0, () -> new IOException("Read-only file system"));
            assertThatThrownBy(() -> bench.publish("x"))
                    .isInstanceOf(BlobStorageUnavailable.class)
                    .hasMessageContaining("Read-only file system");
            assertNothingLeft(bench);
        }
    }

    @Test
    void publish_onADiskThatIsFullInAnotherLanguage_saysFullByTheSpaceLeft() {
        try (var bench = Bench.on(root)) {
            bench.disk.usableBytes(0);
            bench.disk.fail(Effect.WRITE, 0, () -> new IOException("Kein Speicherplatz mehr"));
            assertThatThrownBy(() -> bench.publish("x")).isInstanceOf(BlobStorageFull.class);
        }
    }

    @Test
    void stage_whoseDiskFillsHalfWay_tellsHowMuchFitted() {
        try (var bench = Bench.on(root)) {
            bench.disk.fail(Effect.WRITE, 2, () -> new IOException("No space left on device"));
            var full = (BlobStorageFull) catchThrowable(() -> bench.publish("x".repeat(300_000)));
            assertThat(full.bytesWritten()).isEqualTo(2 * 64 * 1024);
            assertNothingLeft(bench);
        }
    }

    @Test
    void stage_whoseFileCannotBeRemoved_saysBothAndTheDirectoryGoesLater() {
        try (var bench = Bench.on(root)) {
            bench.disk.fail(Effect.DELETE, 0, () -> new IOException("device busy"));
            var primary = catchThrowable(() -> bench.publishFrom(failing("source broke")));
            assertThat(primary).hasMessage("source broke");
            assertThat(primary.getSuppressed()).hasSize(1);
            assertThat(primary.getSuppressed()[0]).hasMessage("device busy");
            assertThat(bench.staged()).hasSize(1);
        }
        assertThat(root.resolve("staging")).isEmptyDirectory();
    }

    @Test
    void stage_ofASourceThatFails_passesItsFailureOn() {
        try (var bench = Bench.on(root)) {
            assertThatThrownBy(() -> bench.publishFrom(failing("peer reset")))
                    .isExactlyInstanceOf(IOException.class)
                    .hasMessage("peer reset");
            assertNothingLeft(bench);
        }
    }

    private static InputStream failing(String message) {
        return new InputStream() {
            private int left = 100;

            @Override
            public int read() throws IOException {
                if (left-- == 0) {
                    throw new IOException(message);
                }
                return 1;
            }

            @Override
            public int read(byte[] into, int from, int length) throws IOException {
                into[from] = (byte) read();
                return 1;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void publish_withAFaultAtEachPoint_isWholeOrNothing(boolean error) throws Exception {
        for (var point : POINTS) {
            try (var bench = Bench.on(root)) {
                var before = bench.objects();
                var fault = error ? new StackOverflowError(point) : new IllegalStateException(point);
                try (var _ = Probes.install(at -> throwAt(point, at, fault))) {
                    assertThat(catchThrowable(() -> bench.publish("x")))
                            .as(point)
                            .isSameAs(fault);
                }
                var settled = point.equals("settle/blob:after");
                assertThat(bench.objects()).as(point).hasSize(before.size() + (settled ? 1 : 0));
                assertThat(bench.staged()).as(point).isEmpty();
                assertThat(bench.blobs.holders()).as(point).isEmpty();
                bench.publish("afterwards");
            }
        }
    }

    private static void throwAt(String point, String at, Throwable fault) {
        if (!point.equals(at)) {
            return;
        }
        if (fault instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) fault;
    }

    @Test
    void publish_cancelledAtEachPoint_isWholeOrNothing() throws Exception {
        for (var point : POINTS) {
            try (var bench = Bench.on(root)) {
                var before = bench.objects().size();
                var outcome = publishCancelledAt(bench, point);
                var published = outcome instanceof Outcome.Success;
                assertThat(published || outcome instanceof Outcome.CancelledOut)
                        .as("%s: %s", point, outcome)
                        .isTrue();
                assertThat(bench.objects()).as(point).hasSize(before + (published ? 1 : 0));
                assertThat(bench.staged()).as(point).isEmpty();
            }
        }
    }

    private static Outcome<String> publishCancelledAt(Bench bench, String point) {
        var canceller = new CompletableFuture<Canceller>();
        try (var tasks = Supervisor.open("test");
                var _ = Probes.install(at -> cancelAt(point, at, canceller))) {
            return tasks.<String>fork("publish", () -> {
                        canceller.complete(Scope.current().canceller());
                        return bench.publish("x".repeat(200_000));
                    })
                    .join();
        }
    }

    private static void cancelAt(String point, String at, CompletableFuture<Canceller> canceller) {
        if (at.equals(point) && canceller.isDone()) {
            canceller.join().cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
        }
    }

    @Test
    void stage_cancelledWhileItWrites_endsAtTheNextChunkAndItsFileIsGone() throws Exception {
        try (var bench = Bench.on(root);
                var tasks = Supervisor.open("test")) {
            var writing = new CountDownLatch(1);
            var goOn = new CountDownLatch(1);
            var writes = new AtomicInteger();
            bench.disk.beforeWrite(() -> {
                if (writes.incrementAndGet() == 3) {
                    writing.countDown();
                    awaitMasked(goOn);
                }
            });
            var task = tasks.fork("stage", () -> bench.publish("x".repeat(1_000_000)));
            writing.await();
            assertThat(bench.staged()).hasSize(1);
            task.cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
            goOn.countDown();
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
            assertThat(writes).hasValue(3);
            assertNothingLeft(bench);
        }
    }

    // An interrupt that came through the mask would show as a failed test.
    private static void awaitMasked(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted in the middle of a write", e);
        }
    }

    @Test
    void stage_cancelledWhileItsSourceBlocks_endsAndItsFileIsGone() throws Exception {
        try (var bench = Bench.on(root);
                var tasks = Supervisor.open("test")) {
            var reading = new CountDownLatch(1);
            var source = new InputStream() {
                @Override
                public int read(byte[] into, int from, int length) {
                    return read();
                }

                @Override
                public int read() {
                    reading.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return -1;
                    } catch (InterruptedException e) {
                        throw new Cancelled(Reason.of(Reason.Kind.REQUEST, "an interrupt"));
                    }
                }
            };
            var task = tasks.fork("stage", () -> bench.publishFrom(source));
            reading.await();
            assertThat(bench.staged()).hasSize(1);
            task.cancel(Reason.of(Reason.Kind.PEER_GONE, "test"));
            assertThat(task.join()).isInstanceOf(Outcome.CancelledOut.class);
            assertNothingLeft(bench);
        }
    }

    @Test
    void stage_onAThreadOfOthersThatIsInterrupted_leavesNothingAndKeepsTheInterrupt() {
        try (var bench = Bench.on(root)) {
            bench.disk.beforeWrite(() -> Thread.currentThread().interrupt());
            assertThatThrownBy(() -> bench.publish("x")).isInstanceOf(BlobStorageUnavailable.class);
            assertThat(Thread.interrupted()).isTrue();
            assertNothingLeft(bench);
        }
    }

    @Test
    void discard_thatFails_isToldAndLeftToTheReclaimer() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var placed = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("x")));
            bench.disk.fail(Effect.DELETE, 0, () -> new IOException("device busy"));
            assertThatThrownBy(() -> bench.blobs.discard(placed)).hasRootCauseMessage("device busy");
            assertThat(bench.blobs.holders()).isEmpty();
            assertThat(bench.objects()).hasSize(1);
        }
    }

    @Test
    void open_thatFails_isUnavailable() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var key = bench.publish("x");
            bench.disk.fail(Effect.OPEN, 0, () -> new IOException("Input/output error"));
            assertThatThrownBy(() -> bench.blobs.open(scope, key)).isInstanceOf(BlobStorageUnavailable.class);
            assertThat(bench.blobs.holders()).isEmpty();
        }
    }

    private static void assertNothingLeft(Bench bench) {
        assertThat(bench.objects()).isEmpty();
        assertThat(bench.staged()).isEmpty();
        assertThat(bench.blobs.holders()).isEmpty();
    }
}
