package dev.tenure.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.testkit.ChildJvm;
import dev.tenure.testkit.LeakCheck;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class TakeoverTest {
    @TempDir
    Path root;

    @Test
    void stagingDirectory_ofALivingProcess_isNeverTouched_ofADeadOne_isTakenOver() {
        try (var child = ChildJvm.start(StagingChild.class, root.toString(), "stage")) {
            var key = child.awaitLine("staged ").substring("staged ".length());
            try (var bench = Bench.on(root)) {
                var alive = bench.blobs.reclaim();
                assertThat(alive.directories()).isZero();
                assertThat(alive.failed()).isEmpty();
                assertThat(bench.staged()).containsExactly(key);

                child.signal(ChildJvm.Signal.KILL);
                child.awaitExit();
                var dead = bench.blobs.reclaim();
                assertThat(dead.directories()).isEqualTo(1);
                assertThat(dead.stagedFiles()).isEqualTo(1);
                assertThat(bench.staged()).isEmpty();
            }
        }
        assertThat(root.resolve("staging")).isEmptyDirectory();
    }

    @Test
    void twoStores_inOneProcess_leaveEachOthersFilesAlone() throws Exception {
        try (var one = Bench.on(root);
                var two = Bench.on(root)) {
            one.blobs.reclaim();
            two.blobs.reclaim();
            one.publish("one");
            two.publish("two");
            try (var child = ChildJvm.start(StagingChild.class, root.toString(), "stage")) {
                child.awaitLine("staged ");
                one.publish("three");
                two.publish("four");
            }
            assertThat(one.objects()).hasSize(4);
        }
    }
}
