package dev.tenure.stress;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.Deadline;
import dev.tenure.core.HandoffQueue;
import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Test;

/// Concurrent use of a queue gives what some order of the same calls gives; shown first to refute a queue that does
/// not.
public class LincheckTest {
    private static final ResourceType<Integer> NUMBER = ResourceType.of("number", _ -> {});
    private static final int CAPACITY = 2;
    private static final int SMOKE = 5;
    private static final int SOAK = 50;

    /// What a queue is in one thread.
    public static class Model {
        private final ArrayDeque<Integer> waiting = new ArrayDeque<>();
        private boolean closed;

        /// @return as [Queue#offer]
        @Operation
        public String offer(int number) {
            if (closed) {
                return "closed";
            }
            return waiting.size() < CAPACITY && waiting.add(number) ? "taken" : "full";
        }

        /// @return as [Queue#take]
        @Operation
        public String take() {
            return closed ? "closed" : String.valueOf(waiting.poll());
        }

        /// @return as [Queue#close]
        @Operation
        public String close() {
            closed = true;
            waiting.clear();
            return "closed";
        }
    }

    /// The core's queue, without waiting in a take.
    public static class Queue {
        private final HandoffQueue<Integer> queue = HandoffQueue.open("numbers", CAPACITY);

        /// @return taken, full or closed
        @Operation
        public String offer(int number) {
            try (var scope = Scope.open("giver")) {
                Owned<Integer> handle = scope.own(NUMBER, number);
                return queue.offer(handle) ? "taken" : "full";
            } catch (AdmissionClosed _) {
                return "closed";
            }
        }

        /// @return the number, null or closed
        @Operation
        public String take() {
            try (var scope = Scope.open("taker")) {
                Optional<Owned<Integer>> taken = queue.take(scope, Deadline.in(Duration.ZERO));
                return String.valueOf(taken.map(Owned::get).orElse(null));
            } catch (AdmissionClosed _) {
                return "closed";
            }
        }

        /// @return closed
        @Operation
        public String close() {
            queue.close();
            return "closed";
        }
    }

    /// Planted: looks and then acts.
    public static class Racy {
        private volatile int size;

        /// @return the new size
        @Operation
        public int add() {
            return ++size;
        }
    }

    private static int iterations() {
        return Boolean.getBoolean("tenure.soak") ? SOAK : SMOKE;
    }

    @Test
    void plantedRace_isRefuted() {
        var checking = new ModelCheckingOptions().iterations(3).invocationsPerIteration(300);
        assertThatThrownBy(() -> checking.check(Racy.class)).hasMessageContaining("Invalid execution results");
    }

    @Test
    void handoffQueue_isLinearizable() {
        new StressOptions()
                .iterations(iterations())
                .threads(2)
                .actorsPerThread(3)
                .invocationsPerIteration(iterations() * 60)
                .sequentialSpecification(Model.class)
                .check(Queue.class);
    }
}
