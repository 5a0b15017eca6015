package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.IntConsumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// What one more child costs does not depend on how many there are. Costs are compared between a small
/// and a large crowd, as processor time of one thread; what grows with the square costs 25 times as much
/// per child in the large one.
@SuppressWarnings("MustBeClosed") // explicit closes are the subject
class LinearCostTest extends CoreTest {
    private static final int CHILDREN = 100_000;
    private static final int FAILING = 20_000;
    private static final int OTHERS = Boolean.getBoolean("tenure.soak") ? 100_000 : 25_000;

    /// The large crowd is so many times the small one, and what grows with the square so many times as dear.
    private static final int TIMES = 25;

    private static final double BOUND = 8;
    private static final int ATTEMPTS = 4;

    /// Keeps bodies until they are run, all on the test's thread and in an order that favours no list.
    private static final class Later implements Threads {
        private final List<Runnable> bodies = new ArrayList<>();

        @Override
        public Thread startVirtual(String name, Runnable body) {
            bodies.add(body);
            return Thread.ofVirtual().unstarted(body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            return Threads.system().startPlatform(name, body);
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return Threads.system().unstartedPlatform(name, body);
        }

        void runAll() {
            Collections.shuffle(bodies, java.util.Random.from(RandomGenerator.of("L64X128MixRandom")));
            bodies.forEach(Runnable::run);
        }
    }

    @Test
    void childrenOfAScope() {
        assertLinear(CHILDREN, children -> inScope(children, () -> ""));
    }

    @Test
    void failingChildrenOfAScope() {
        assertLinear(FAILING, children -> inScope(children, LinearCostTest::failed));
    }

    @Test
    void failingChildren_cancelEachSiblingOnce() {
        var cancels = Gates.count("cancel");
        inScope(FAILING, LinearCostTest::failed);
        assertThat(cancels.sum()).as("steps of cancels").isLessThanOrEqualTo(6L * FAILING);
    }

    @Test
    void tasksOfASupervisor() {
        assertLinear(OTHERS, tasks -> {
            var later = new Later();
            try (var supervisor = Supervisor.open("s", Supervisor.Options.DEFAULT.with(later))) {
                for (int i = 0; i < tasks; i++) {
                    supervisor.fork("t", () -> "");
                }
                later.runAll();
                assertThat(supervisor.live()).isZero();
            }
        });
    }

    @Test
    void valuesWithHooks() {
        var hooked = ResourceType.<Integer>of("hooked", _ -> {}).onCancel(_ -> {});
        assertLinear(OTHERS, values -> {
            try (var scope = Scope.open("s")) {
                for (int i = 0; i < values; i++) {
                    scope.own(hooked, i);
                }
            }
        });
    }

    @Test
    void valuesMovedInFromElsewhere_andThroughAQueue() {
        assertLinear(OTHERS, values -> {
            var queue = HandoffQueue.<Integer>open("q", values);
            var type = ResourceType.<Integer>of("value", _ -> {});
            try (var supervisor = Supervisor.open("s");
                    var scope = Scope.open("s")) {
                for (int i = 0; i < values; i++) {
                    var _ = scope.own(type, i).moveTo(supervisor);
                    boolean _ = queue.offer(scope.own(type, i));
                }
                queue.close();
            }
        });
    }

    private static void inScope(int children, Callable<String> body) {
        var later = new Later();
        try (var scope = Scope.open("s", Supervisor.Options.DEFAULT.with(later))) {
            var tasks = new ArrayList<Task<String>>(children);
            for (int i = 0; i < children; i++) {
                tasks.add(scope.fork("t", body));
            }
            later.runAll();
            tasks.forEach(Task::join);
            assertThat(scope.dump()).doesNotContain("task");
        }
    }

    private static String failed() {
        throw new IllegalStateException("child");
    }

    /// The best of some attempts counts: a collection in the large crowd says nothing of the core.
    private static void assertLinear(int many, IntConsumer crowd) {
        int few = many / TIMES;
        crowd.accept(few); // compiles it
        double best = Double.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && best > BOUND; i++) {
            best = Math.min(best, nanosPerOne(crowd, many) / nanosPerOne(crowd, few));
        }
        assertThat(best)
                .as("cost per child among %d, relative to %d", many, few)
                .isLessThan(BOUND);
    }

    private static double nanosPerOne(IntConsumer crowd, int size) {
        var threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        crowd.accept(size);
        return (double) (threads.getCurrentThreadCpuTime() - before) / size;
    }
}
