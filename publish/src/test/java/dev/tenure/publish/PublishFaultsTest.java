package dev.tenure.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Cancelled;
import dev.tenure.core.Outcome;
import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// One fault at every point that a publication passes: all of it is there afterwards, or nothing.
///
/// The points are found by a run without a fault, so that a new one is swept without being named here.
@ExtendWith(LeakCheck.class)
class PublishFaultsTest {
    private enum Effect {
        THROW,
        CANCEL
    }

    private record Point(String name, int nth, boolean failing) {}

    @TempDir
    Path directory;

    @TestFactory
    List<DynamicTest> everyPoint_everyFault() throws Exception {
        var tests = new ArrayList<DynamicTest>();
        for (boolean failing : new boolean[] {false, true}) {
            for (Point point : points(failing)) {
                for (Effect effect : Effect.values()) {
                    String name = effect + "@" + point.name() + "#" + point.nth() + (failing ? ", body fails" : "");
                    tests.add(DynamicTest.dynamicTest(name, () -> sweep(point, effect)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(60);
        return tests;
    }

    private List<Point> points(boolean failing) throws Exception {
        var seen = Collections.synchronizedList(new ArrayList<String>());
        run(failing, (name, _) -> seen.add(name));
        var counts = new HashMap<String, Integer>();
        return seen.stream()
                .map(name -> new Point(name, counts.merge(name, 1, Integer::sum), failing))
                .toList();
    }

    private void sweep(Point point, Effect effect) throws Exception {
        var reached = new ArrayList<String>();
        run(point.failing(), (name, scope) -> {
            if (name.equals(point.name())) {
                reached.add(name);
                if (reached.size() == point.nth()) {
                    strike(effect, name, scope);
                }
            }
        });
        assertThat(reached).as("times %s was reached", point).hasSizeGreaterThanOrEqualTo(point.nth());
    }

    private static void strike(Effect effect, String name, Scope scope) {
        if (effect == Effect.THROW) {
            throw new IllegalStateException("injected at " + name);
        }
        scope.canceller().cancel(Reason.of(Reason.Kind.PEER_GONE, "the client"));
    }

    private interface Adversary {
        void at(String point, Scope request);
    }

    /// One publication in a task of its own, then the truth about it.
    private void run(boolean failing, Adversary adversary) throws Exception {
        var root = Files.createTempDirectory(directory, "run");
        try (var bench = new Bench(root);
                var requests = Supervisor.open("requests")) {
            var file = Files.writeString(root.resolve("part"), "a picture");
            var outcome = requests.fork("request", () -> publish(bench, file, failing, adversary))
                    .join();
            verify(bench, outcome, failing);
        }
    }

    private static String publish(Bench bench, Path file, boolean failing, Adversary adversary) throws Exception {
        var request = Scope.current();
        var thread = new AtomicReference<>(Thread.currentThread());
        Consumer<String> listener = point -> {
            if (Thread.currentThread() == thread.get()) {
                adversary.at(point, request);
            }
        };
        try (var _ = Probes.install(listener)) {
            return bench.publisher.publishReturning(file, (tx, blob) -> {
                bench.insert(tx, "p1", blob);
                if (failing) {
                    throw new IllegalArgumentException("refused by the body");
                }
                return blob.key();
            });
        }
    }

    private static void verify(Bench bench, Outcome<String> outcome, boolean failing) throws Exception {
        boolean published = outcome instanceof Outcome.Success<String>;
        if (published) {
            assertThat(failing).isFalse();
            assertThat(bench.photos()).containsExactly("p1");
            assertThat(bench.jobKeys()).containsExactly("p1");
            assertThat(bench.read(bench.blobKeys().getFirst())).isEqualTo("a picture");
        } else {
            assertThat(bench.photos()).as("rows after %s", outcome).isEmpty();
            assertThat(bench.jobKeys()).isEmpty();
        }
        if (outcome instanceof Outcome.Failed<String>(Throwable primary)) {
            assertThat(primary).isNotInstanceOf(PublishUnknown.class).isNotInstanceOf(Cancelled.class);
        }
        assertThat(bench.staged()).isEmpty();
        bench.reclaim();
        assertThat(bench.objects()).as("after the reclaimer").isEqualTo(bench.blobKeys());
    }
}
