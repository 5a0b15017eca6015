package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Deadline;
import dev.tenure.core.Probe;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.core.Threads;
import dev.tenure.core.Timers;
import java.io.FileInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each kind of leaving is found, and nothing is found where nothing was left.
class LeakCheckTest {
    @TempDir
    Path directory;

    @Test
    void nothingLeft_isNothingFound() {
        assertThat(foundAfter(() -> {})).isEmpty();
    }

    @Test
    void openScope_isFound() {
        var base = base();
        try (var _ = Scope.open("forgotten")) {
            assertThat(base.leftNow(List.of())).singleElement().asString().contains("scope 'forgotten'", "opened by");
        }
        assertThat(base.leftNow(List.of())).isEmpty();
    }

    @Test
    void openSupervisor_andItsTask_areFound() {
        var base = base();
        var goOn = new CountDownLatch(1);
        try (var supervisor = Supervisor.open("workers")) {
            var task = supervisor.fork("stuck", () -> {
                goOn.await();
                return "";
            });
            assertThat(base.leftNow(List.of()))
                    .anyMatch(left -> left.startsWith("supervisor 'workers'"))
                    .anyMatch(left -> left.startsWith("task 'stuck'"));
            goOn.countDown();
            task.join();
        }
        assertThat(Ledger.ofThisJvm().awaitNoneSince(base.mark(), Duration.ofSeconds(5)))
                .isTrue();
    }

    @Test
    void runningThread_isFoundWithWhereItStands() throws Exception {
        var base = base();
        var goOn = new CountDownLatch(1);
        var thread = Threads.system().startPlatform("tenure-forgotten", () -> awaitQuietly(goOn));

        assertThat(base.leftNow(List.of())).singleElement().asString().startsWith("thread 'tenure-forgotten'");

        goOn.countDown();
        thread.join();
        assertThat(base.leftNow(List.of())).isEmpty();
    }

    @Test
    void openDescriptor_isFound() throws Exception {
        var file = Files.writeString(directory.resolve("open.txt"), "x");
        var base = base();
        try (var input = new FileInputStream(file.toFile())) {
            assertThat(base.leftNow(List.of())).singleElement().asString().endsWith("open.txt");
            assertThat(input.read()).isEqualTo('x');
        }
        assertThat(base.leftNow(List.of())).isEmpty();
    }

    @Test
    void fileInAWatchedDirectory_isFound() throws Exception {
        var base = LeakCheck.Base.now(List.of(directory));
        var file = Files.writeString(directory.resolve("left.part"), "x");

        assertThat(base.leftNow(List.of(directory))).containsExactly("file " + file);

        Files.delete(file);
        assertThat(base.leftNow(List.of(directory))).isEmpty();
    }

    @Test
    void armedTimer_isFound() {
        var base = base();
        var alarm = Timers.system().at(Deadline.in(Duration.ofHours(1)), () -> {});

        assertThat(base.leftNow(List.of())).anyMatch(left -> left.startsWith("timers: 1 armed (before: 0)"));

        alarm.cancel();
    }

    @Test
    void probes_seeEveryPoint_andCanFailIt() {
        var points = new ArrayList<String>();
        try (var _ = Probes.install(points::add);
                var _ = Probes.install(point -> {
                    if (point.equals("stage/blob:after")) {
                        throw new IllegalStateException("injected");
                    }
                })) {
            Probe.before("stage", "blob");
            assertThatThrownBy(() -> Probe.after("stage", "blob")).hasMessage("injected");
        }
        Probe.point("unheard");

        assertThat(points).containsExactly("stage/blob:before", "stage/blob:after");
    }

    private static List<String> foundAfter(Runnable body) {
        var base = base();
        body.run();
        return base.leftNow(List.of());
    }

    private static LeakCheck.Base base() {
        Descriptors.warmUp();
        return LeakCheck.Base.now(List.of());
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
