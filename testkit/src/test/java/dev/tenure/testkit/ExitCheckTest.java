package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class ExitCheckTest {
    /// A test that leaves a thread; run only by the launcher of the child.
    @Tag("child")
    static final class LeavesAThread {
        @Test
        void passes() {
            var thread = new Thread(LeavesAThread::waitForEver, "forgotten");
            thread.start();
        }

        private static void waitForEver() {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Runs it as a build does.
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            var request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectClass(LeavesAThread.class))
                    .build();
            LauncherFactory.create().execute(request);
            System.out.println("the run has passed");
        }
    }

    @Test
    void runThatLeavesAThread_fails_andNamesIt() {
        try (var child = ChildJvm.start(Program.class)) {
            assertThat(child.awaitExit()).isEqualTo(70);
            assertThat(child.lines())
                    .anyMatch(line -> line.startsWith("err: 1 threads keep this process from its exit"))
                    .anyMatch(line -> line.contains("thread 'forgotten'"))
                    .anyMatch(line -> line.contains("waitForEver"))
                    .doesNotContain("the run has passed");
        }
    }
}
