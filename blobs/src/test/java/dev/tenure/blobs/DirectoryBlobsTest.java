package dev.tenure.blobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Scope;
import dev.tenure.core.Staged;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.host.ConfigurationError;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LeakCheck.class)
class DirectoryBlobsTest {
    @TempDir
    Path root;

    @Test
    void blob_stagedPlacedAndSettled_isReadBack() throws Exception {
        try (var bench = Bench.on(root)) {
            var key = bench.publish("hello");
            assertThat(bench.read(key)).isEqualTo("hello");
            assertThat(bench.objects()).containsExactly(key);
            assertThat(bench.staged()).isEmpty();
            assertThat(bench.blobs.counts()).containsEntry("settled", 1L).containsEntry("resources_left", 0L);
        }
        assertThat(root.resolve("staging")).isEmptyDirectory();
    }

    @Test
    void stage_beforeItIsPlaced_isSeenByNobodyElse() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var staged = bench.blobs.stage(Bench.bytes("x"));
            assertThat(staged.get().bytes()).isEqualTo(1);
            assertThat(bench.objects()).isEmpty();
            assertThat(bench.staged()).containsExactly(staged.get().key());
            assertThat(bench.modes("staging", staged.get().key())).isEqualTo("rw-------");
            assertThat(scope.name()).isEqualTo("test");
        }
    }

    @Test
    void scope_thatEndsEarly_discardsWhatItStagedAndPlaced() throws Exception {
        try (var bench = Bench.on(root)) {
            try (var scope = Scope.open("test")) {
                bench.blobs.stage(scope, Bench.bytes("staged"));
                bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("placed")));
                assertThat(bench.blobs.holders()).hasSize(2);
            }
            assertThat(bench.objects()).isEmpty();
            assertThat(bench.staged()).isEmpty();
            assertThat(bench.blobs.holders()).isEmpty();
        }
    }

    @Test
    void discard_duringACommitThatRolledBack_deletesTheBytes() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var placed = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("x")));
            placed.inDoubt();
            bench.blobs.discard(placed);
            assertThat(bench.objects()).isEmpty();
            assertThat(placed.state()).isEqualTo(Staged.State.DISCARDED);
        }
    }

    @Test
    void leave_keepsTheBytesForTheReclaimer() throws Exception {
        try (var bench = Bench.on(root)) {
            var key = bench.orphan("x");
            assertThat(bench.objects()).containsExactly(key);
            assertThat(bench.blobs.holders()).isEmpty();
        }
    }

    @Test
    void settle_twice_isRefusedAndKeepsTheBytes() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var placed = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("x")));
            bench.blobs.settle(placed);
            assertThatThrownBy(() -> bench.blobs.settle(placed)).isInstanceOf(RuntimeException.class);
            bench.blobs.discard(placed);
            assertThat(bench.objects()).hasSize(1);
        }
    }

    @Test
    void stage_ofAFile_leavesTheFile() throws Exception {
        var file = Files.writeString(Files.createTempFile("blobs-test", ""), "from a file");
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var placed = bench.blobs.place(scope, bench.blobs.stage(scope, file));
            bench.blobs.settle(placed);
            assertThat(bench.read(placedKey(bench))).isEqualTo("from a file");
            assertThat(file).exists();
        } finally {
            Files.delete(file);
        }
    }

    private static String placedKey(Bench bench) {
        return bench.objects().getFirst();
    }

    @Test
    void place_ofAKeyThatExists_takesAnotherAndOverwritesNothing() throws Exception {
        var one = "a".repeat(48);
        var two = "b".repeat(48);
        var keys = new ArrayDeque<>(List.of(one, one, one, two));
        try (var bench = Bench.withKeys(root, new BlobKeys(keys::removeFirst))) {
            assertThat(bench.publish("first")).isEqualTo(one);
            assertThat(bench.publish("second")).isEqualTo(two);
            assertThat(bench.read(one)).isEqualTo("first");
            assertThat(bench.read(two)).isEqualTo("second");
        }
    }

    @Test
    void place_whileTheSameKeyIsInFlight_takesAnother() throws Exception {
        var one = "a".repeat(48);
        var two = "b".repeat(48);
        var keys = new ArrayDeque<>(List.of(one, one, two));
        try (var bench = Bench.withKeys(root, new BlobKeys(keys::removeFirst));
                var scope = Scope.open("test")) {
            var first = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("first")));
            Files.delete(root.resolve("objects/aa/" + one));
            var second = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("second")));
            assertThat(first.get().key()).isEqualTo(one);
            assertThat(second.get().key()).isEqualTo(two);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "../../etc/passwd", "/etc/passwd", "ABCDEF", "a/b", ".", "a\u0000b"})
    void open_ofABadKey_isRefusedBeforeTheDiskIsAsked(String key) {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            assertThatThrownBy(() -> bench.blobs.open(scope, key)).isInstanceOf(BadBlobKey.class);
            assertThatThrownBy(() -> bench.blobs.delete(key)).isInstanceOf(BadBlobKey.class);
        }
    }

    @Test
    void open_ofAMissingBlob_saysSo() {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            assertThatThrownBy(() -> bench.blobs.open(scope, "a".repeat(48)))
                    .isInstanceOf(NoSuchBlob.class)
                    .hasMessageContaining("a".repeat(48));
            assertThat(bench.blobs.holders()).isEmpty();
        }
    }

    @Test
    void delete_whileAReaderHasItOpen_letsItFinish() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var key = bench.publish("hello");
            var reader = bench.blobs.open(scope, key);
            bench.blobs.delete(key);
            assertThat(Bench.read(reader)).isEqualTo("hello");
            bench.blobs.delete(key);
            assertThat(bench.objects()).isEmpty();
        }
    }

    @Test
    void delete_ofABlobInFlight_isRefused() throws Exception {
        try (var bench = Bench.on(root);
                var scope = Scope.open("test")) {
            var placed = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("x")));
            assertThatThrownBy(() -> bench.blobs.delete(placed.get().key()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("not settled");
        }
    }

    @Test
    void close_whileAReaderIsOpen_waitsAndNamesIt() throws Exception {
        try (var bench = Bench.on(root);
                var tasks = Supervisor.open("test")) {
            var key = bench.publish("x");
            try (var scope = Scope.open("GET /photo")) {
                bench.blobs.open(scope, key);
                bench.clock.advance(Duration.ofSeconds(3));
                var overdue = bench.blobs.close(Deadline.in(Duration.ZERO, bench.clock));
                assertThat(overdue.status()).isEqualTo(CloseReport.Status.OVERDUE);
                var holder = overdue.pending().getFirst();
                assertThat(holder.what()).contains("open blob " + key);
                assertThat(holder.where()).isEqualTo("GET /photo");
                assertThat(holder.age()).isEqualTo(Duration.ofSeconds(3));
                assertThatThrownBy(() -> bench.blobs.stage(scope, Bench.bytes("late")))
                        .isInstanceOf(BlobsClosed.class);
                assertThat(bench.staged()).isEmpty();
            }
            var closing = tasks.fork("close", () -> bench.blobs.close(Deadline.none()));
            assertThat(closing.get().status()).isEqualTo(CloseReport.Status.CLEAN);
            assertThat(bench.blobs.close(Deadline.none())).isSameAs(closing.get());
        }
    }

    @Test
    void place_afterTheSeal_finishesWhatWasStagedBefore() throws Exception {
        try (var bench = Bench.on(root)) {
            try (var scope = Scope.open("test")) {
                var staged = bench.blobs.stage(scope, Bench.bytes("x"));
                bench.blobs.close(Deadline.in(Duration.ZERO, bench.clock));
                bench.blobs.settle(bench.blobs.place(scope, staged));
            }
            assertThat(bench.objects()).hasSize(1);
        }
    }

    @Test
    void settings_outOfRange_areRefusedAtOnce() {
        var builder = DirectoryBlobs.in(root);
        assertThatThrownBy(() -> builder.reclaimGrace(Duration.ofSeconds(-1)))
                .isInstanceOf(ConfigurationError.class)
                .hasMessage("blobs.reclaimGrace: PT-1S (expected: 0 ms to 365 days)");
        assertThatThrownBy(() -> builder.reclaimEvery(Duration.ZERO)).isInstanceOf(ConfigurationError.class);
        assertThatThrownBy(() -> builder.reclaimBatch(0)).isInstanceOf(ConfigurationError.class);
        assertThatThrownBy(() -> builder.named(" ")).isInstanceOf(ConfigurationError.class);
    }

    @Test
    void open_belowAFile_isAConfigurationErrorAndLeavesNothing() throws Exception {
        var file = Files.writeString(root.resolve("file"), "");
        var seams = new Seams(new FakeClock(), new FakeClock(), Threads.system(), Observer.none());
        assertThatThrownBy(() -> DirectoryBlobs.in(file).open(seams))
                .isInstanceOf(ConfigurationError.class)
                .hasMessageContaining("blobs.root: " + file);
    }
}
