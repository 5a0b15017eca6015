package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class ExitCheckTest {
    /// Stands for a test that leaves a thread: starts it when an engine begins its run.
    private static final class LeavesAThread implements TestExecutionListener {
        @Override
        public void executionStarted(TestIdentifier engine) {
            new Thread(LeavesAThread::waitForEver, "forgotten").start();
        }

        private static void waitForEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Runs a launcher as a build does.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            var request = LauncherDiscoveryRequestBuilder.request().build();
            if (arguments.length > 0) {
                LauncherFactory.create().execute(request, new LeavesAThread());
            } else {
                LauncherFactory.create().execute(request);
            }
            System.out.println("the run has passed");
        }
    }

    @Test
    void runThatLeavesAThread_fails_andNamesIt() {
        try (var child = ChildJvm.start(Program.class, "leave a thread")) {
            assertThat(child.awaitExit()).isEqualTo(70);
            assertThat(child.lines())
                    .anyMatch(line -> line.startsWith("err: 1 threads keep this process from its exit"))
                    .anyMatch(line -> line.contains("thread 'forgotten'"))
                    .anyMatch(line -> line.contains("waitForEver"))
                    .doesNotContain("the run has passed");
        }
    }

    @Test
    void runThatLeavesNothing_passes() {
        try (var child = ChildJvm.start(Program.class)) {
            assertThat(child.awaitExit()).isZero();
            assertThat(child.lines()).contains("the run has passed");
        }
    }
}
