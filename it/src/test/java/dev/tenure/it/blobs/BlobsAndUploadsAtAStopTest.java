package dev.tenure.it.blobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.blobs.DirectoryBlobs;
import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Scope;
import dev.tenure.host.Host;
import dev.tenure.host.Phase;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.uploads.Uploads;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(LeakCheck.class)
class BlobsAndUploadsAtAStopTest {
    @TempDir
    Path data;

    @Test
    void stop_ofIdleStores_isGracefulAndLeavesNoDirectoryOfTheProcess() {
        try (var host = Host.named("idle").signals(false).start()) {
            host.own(DirectoryBlobs.in(data.resolve("blobs")).referencedBy(_ -> Set.of()));
            host.own(Uploads.in(data.resolve("parts")));
            var report = host.stopAndWait();
            assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
            assertThat(report.left().temporaryFiles()).isZero();
            assertThat(report.left().resources()).isZero();
        }
        assertThat(data.resolve("blobs/staging")).isEmptyDirectory();
        assertThat(data.resolve("parts")).isEmptyDirectory();
    }

    @Test
    void stop_duringAReclaim_cancelsItWhenTheDrainBegins() throws Exception {
        var asking = new CountDownLatch(1);
        try (var host = Host.named("reclaiming").signals(false).start()) {
            var blobs = host.own(DirectoryBlobs.in(data)
                    .reclaimGrace(Duration.ZERO)
                    .reclaimEvery(Duration.ofMillis(100))
                    .referencedBy(_ -> {
                        asking.countDown();
                        new CountDownLatch(1).await();
                        return Set.of();
                    }));
            try (var scope = Scope.open("orphan")) {
                blobs.leave(blobs.place(scope, blobs.stage(scope, new ByteArrayInputStream(new byte[10]))));
            }
            asking.await();
            var report = host.stopAndWait();
            assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
        }
    }

    @Test
    void stop_whileABlobIsHeld_retainsTheStoreAndNamesTheHolder() throws Exception {
        try (var host = Host.named("held")
                        .signals(false)
                        .stopBudget(Duration.ofMillis(800))
                        .start();
                var scope = Scope.open("GET /drill/stuck")) {
            var blobs = host.own(DirectoryBlobs.in(data));
            var staged = blobs.stage(scope, new ByteArrayInputStream(new byte[10]));
            host.stop();
            var report = host.stopAsync().toCompletableFuture().get();
            var component = report.component("blobs").orElseThrow();
            assertThat(component.outcome()).isEqualTo(Outcome.RETAINED);
            assertThat(component.toString())
                    .contains("staged blob " + staged.get().key())
                    .contains("GET /drill/stuck");
            assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
            assertThat(report.left().temporaryFiles()).isEqualTo(1);
            assertThat(report.phase(Phase.DISPOSE_DEPENDENCIES)).isPresent();
            staged.close();
            assertThat(blobs.holders()).isEmpty();
            assertThat(((DirectoryBlobs) blobs).close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
        }
        assertThat(data.resolve("staging")).isEmptyDirectory();
    }
}
