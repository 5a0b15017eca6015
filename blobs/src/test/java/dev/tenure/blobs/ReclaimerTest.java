package dev.tenure.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.blobs.FaultyDisk.Effect;
import dev.tenure.core.Scope;
import dev.tenure.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class ReclaimerTest {
    private static final Duration GRACE = Duration.ofMinutes(15);

    @TempDir
    Path root;

    private final Set<String> referenced = new HashSet<>();
    private final List<List<String>> asked = new CopyOnWriteArrayList<>();

    private Set<String> answer(Collection<String> keys) {
        asked.add(new ArrayList<>(keys));
        return referenced;
    }

    private Bench bench() {
        return Bench.on(root, builder -> builder.referencedBy(this::answer).reclaimBatch(2));
    }

    @Test
    void reclaim_afterTheGraceAge_deletesOnlyWhatNobodyRefersTo() throws Exception {
        try (var bench = bench()) {
            var kept = bench.publish("referenced");
            var orphan = bench.orphan("orphan");
            referenced.add(kept);
            bench.clock.advance(GRACE.minusSeconds(1));
            assertThat(bench.blobs.reclaim())
                    .satisfies(young -> assertThat(young.deleted()).isZero())
                    .satisfies(young -> assertThat(young.kept()).isEqualTo(2));
            assertThat(asked).isEmpty();
            bench.clock.advance(Duration.ofSeconds(1));
            bench.clock.awaitPending(1);
            var report = bench.blobs.reclaim();
            assertThat(bench.objects()).containsExactly(kept).doesNotContain(orphan);
            assertThat(report.failed()).isEmpty();
            assertThat(bench.blobs.counts()).containsEntry("reclaimed", 1L);
        }
    }

    @Test
    void reclaim_runsByItselfAgainAndAgain() throws Exception {
        var run = new CountDownLatch(1);
        try (var bench = Bench.on(
                root,
                builder -> builder.reclaimEvery(Duration.ofSeconds(10))
                        .reclaimGrace(Duration.ofSeconds(30))
                        .referencedBy(keys -> {
                            run.countDown();
                            return Set.of();
                        }))) {
            bench.orphan("orphan");
            for (var i = 0; i < 2; i++) {
                bench.clock.advance(Duration.ofSeconds(10));
                bench.clock.awaitPending(1);
            }
            assertThat(bench.objects()).hasSize(1);
            bench.clock.advance(Duration.ofSeconds(10));
            run.await();
            bench.clock.awaitPending(1);
            assertThat(bench.objects()).isEmpty();
        }
    }

    @Test
    void reclaim_ofABlobInTheHandsOfARequest_keepsItWhateverItsAge() throws Exception {
        try (var bench = bench();
                var scope = Scope.open("slow request")) {
            var placed = bench.blobs.place(scope, bench.blobs.stage(scope, Bench.bytes("x")));
            bench.clock.advance(GRACE.multipliedBy(10));
            bench.clock.awaitPending(1);
            assertThat(bench.blobs.reclaim().kept()).isEqualTo(1);
            assertThat(asked).isEmpty();
            bench.blobs.leave(placed);
            assertThat(bench.blobs.reclaim().deleted()).isEqualTo(1);
        }
    }

    @Test
    void reclaim_asksInBatches() throws Exception {
        try (var bench = bench()) {
            for (var i = 0; i < 5; i++) {
                referenced.add(bench.publish("blob " + i));
            }
            bench.clock.advance(GRACE);
            bench.clock.awaitPending(1);
            asked.clear();
            assertThat(bench.blobs.reclaim().kept()).isEqualTo(5);
            assertThat(asked).extracting(List::size).containsExactly(2, 2, 1);
        }
    }

    @Test
    void reclaim_whoseCallbackFails_deletesNothingAndSaysSo() throws Exception {
        try (var bench = Bench.on(
                root,
                builder -> builder.referencedBy(keys -> {
                    throw new IOException("database is locked");
                }))) {
            bench.orphan("x");
            bench.clock.advance(GRACE);
            bench.clock.awaitPending(1);
            var report = bench.blobs.reclaim();
            assertThat(report.deleted()).isZero();
            assertThat(report.failed())
                    .containsExactly(
                            new ReclaimReport.Failure("referenced keys", "java.io.IOException: database is locked"));
            assertThat(bench.objects()).hasSize(1);
            assertThat(bench.observed).isNotEmpty();
        }
    }

    @Test
    void reclaim_thatCannotDelete_namesTheKeyAndGoesOn() throws Exception {
        try (var bench = bench()) {
            var one = bench.orphan("x");
            bench.orphan("y");
            bench.disk.fail(Effect.DELETE, 0, () -> new IOException("device busy"));
            bench.clock.advance(GRACE);
            bench.clock.awaitPending(1);
            var report = bench.blobs.reclaim();
            assertThat(report.failed())
                    .hasSize(2)
                    .anyMatch(failure -> failure.what().equals(one));
            assertThat(report.failed().getFirst().reason()).contains("device busy");
            bench.disk.heal();
            assertThat(bench.blobs.reclaim().deleted()).isEqualTo(2);
        }
    }

    @Test
    void reclaim_ofFilesThatAreNotOurs_leavesThem() throws Exception {
        try (var bench = bench()) {
            bench.orphan("x");
            var shard = Files.createDirectories(root.resolve("objects/zz"));
            Files.writeString(shard.resolve("README"), "not a blob");
            Files.writeString(root.resolve("objects/README"), "not a shard");
            bench.clock.advance(GRACE);
            bench.clock.awaitPending(1);
            bench.blobs.reclaim();
            assertThat(bench.objects()).containsExactly("README", "README");
        }
    }

    @Test
    void reclaim_removesTheProbesOfDeadProcessesAlone() throws Exception {
        try (var bench = Bench.on(root);
                var processes = Files.newDirectoryStream(root.resolve("staging"), Files::isDirectory)) {
            var mine = processes.iterator().next().getFileName() + ".probe";
            Files.createFile(root.resolve("objects").resolve(mine));
            Files.createFile(root.resolve("objects/p-1-0-00000000000000aa.probe"));
            bench.blobs.reclaim();
            assertThat(bench.objects()).containsExactly(mine);
        }
    }

    @Test
    void reclaim_withoutACallback_deletesNoPlacedBlob() throws Exception {
        try (var bench = Bench.on(root)) {
            bench.orphan("x");
            bench.clock.advance(Duration.ofDays(30));
            bench.clock.awaitPending(1);
            assertThat(bench.blobs.reclaim().scanned()).isZero();
            assertThat(bench.objects()).hasSize(1);
        }
    }

    @Test
    void close_whileTheReclaimerAsks_cancelsAndJoinsIt() throws Exception {
        var asking = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        try (var bench = Bench.on(
                root,
                builder -> builder.referencedBy(keys -> {
                    asking.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return Set.of();
                    } finally {
                        ended.countDown();
                    }
                }))) {
            bench.orphan("x");
            bench.clock.advance(GRACE);
            asking.await();
        }
        assertThat(ended.getCount()).isZero();
        assertThat(Bench.files(root.resolve("objects"))).hasSize(1);
    }
}
