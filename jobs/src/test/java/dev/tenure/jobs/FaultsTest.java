package dev.tenure.jobs;

import static dev.tenure.jobs.Rig.WORK;
import static dev.tenure.jobs.Rig.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Reason;
import dev.tenure.core.Scope;
import dev.tenure.db.CommitOutcome;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Probes;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One fault at each point, the first and the second time it is reached: the job's effect is there once if its
/// enqueue was committed, and not at all if not; nothing stays claimed.
@ExtendWith(LeakCheck.class)
class FaultsTest {
    private static final List<String> POINTS = List.of(
            "enqueue/job:before", "enqueue/job:after",
            "claim/job:before", "claim/job:after",
            "complete/job:before", "complete/job:after",
            "done/job:before", "done/job:after",
            "begin/tx:before", "begin/tx:after",
            "commit/tx:before", "commit/tx:after",
            "rollback/tx:before", "rollback/tx:after");

    @TempDir
    Path directory;

    static List<Fault> faults() {
        return POINTS.stream()
                .flatMap(point -> IntStream.rangeClosed(1, 3).mapToObj(nth -> new Fault(point, nth)))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void failingPoint_neverDoublesOrLosesAJob(Fault fault) throws Exception {
        try (var rig = new Rig(directory)) {
            var jobs = rig.open(rig.jobs()
                    .handling(WORK, (run, what) -> rig.effect(run, what).orThrow()));
            CommitOutcome<Boolean> outcome;
            try (var _ = Probes.install(fault.armed(() -> {
                throw new IllegalStateException("injected at " + fault);
            }))) {
                outcome = enqueue(rig, jobs);
                settle(rig, jobs, outcome);
            }
            verify(rig, jobs, outcome);
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void cancelledAtPoint_enqueuesAllOrNothing(Fault fault) throws Exception {
        try (var rig = new Rig(directory)) {
            var jobs = rig.open(rig.jobs()
                    .handling(WORK, (run, what) -> rig.effect(run, what).orThrow()));
            var outcome = enqueueCancelled(rig, jobs, fault);
            settle(rig, jobs, outcome);
            verify(rig, jobs, outcome);
        }
    }

    /// The cancel comes at the point, if it is one of the enqueuing thread.
    private static CommitOutcome<Boolean> enqueueCancelled(Rig rig, Jobs jobs, Fault fault) {
        var enqueuer = Thread.currentThread();
        try (var scope = Scope.open("request")) {
            Runnable cancel = () -> scope.canceller().cancel(Reason.of(Reason.Kind.PEER_GONE, "the client"));
            Consumer<String> armed = fault.armed(cancel);
            Consumer<String> here = point -> {
                if (Thread.currentThread() == enqueuer) {
                    armed.accept(point);
                }
            };
            try (var _ = Probes.install(here)) {
                return enqueue(rig, jobs);
            }
        }
    }

    private static CommitOutcome<Boolean> enqueue(Rig rig, Jobs jobs) {
        try {
            return rig.database.inTransaction(tx -> jobs.enqueue(tx, WORK.of("a")));
        } catch (RuntimeException neverBegun) {
            return new CommitOutcome.RolledBack<>(neverBegun);
        }
    }

    private static void settle(Rig rig, Jobs jobs, CommitOutcome<Boolean> outcome) {
        assertThat(outcome.end()).isNotEqualTo(CommitOutcome.End.UNKNOWN);
        if (outcome.end() == CommitOutcome.End.COMMITTED) {
            rig.passUntil(() -> count(jobs, "finished") == 1);
        }
    }

    private static void verify(Rig rig, Jobs jobs, CommitOutcome<Boolean> outcome) throws Exception {
        boolean committed = outcome.end() == CommitOutcome.End.COMMITTED;
        if (!committed) {
            rig.enqueue(jobs, WORK.of("later"));
            rig.passUntil(() -> count(jobs, "finished") == 1);
        }
        assertThat(rig.effects()).containsExactly(committed ? "a" : "later");
        assertThat(rig.rows()).isEmpty();
        rig.await(() -> jobs.holders().isEmpty());
    }

    record Fault(String point, int nth) {
        Consumer<String> armed(Runnable effect) {
            var seen = new AtomicInteger();
            return reached -> {
                if (reached.equals(point) && seen.incrementAndGet() == nth) {
                    effect.run();
                }
            };
        }

        @Override
        public String toString() {
            return point + "#" + nth;
        }
    }
}
