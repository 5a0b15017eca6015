package dev.tenure.bench.core;

import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// What the core is compared with, by turns: one invocation is a short batch of the one and a short batch of the other,
/// in the same thread of the same JVM, so that whatever slows the machine down slows both. Who goes first changes.
///
/// The time of the invocation itself says nothing; [Pair] has the two figures.
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class PairBenchmark {
    private static final ResourceType<String> THING = ResourceType.of("thing", _ -> {});

    /// A fraction of a millisecond, which a time slice of the system seldom cuts.
    private static final int SHORT = 10_000;

    private static final int FORKS = 200;

    /// In the middle of a word's array, so that it has its cache lines for itself.
    private static final int MIDDLE = 64;

    /// Long enough that two threads which are let go together are seldom apart.
    private static final int SIDE_BY_SIDE = 40_000;

    /// One side of a pair.
    @FunctionalInterface
    interface Batch {
        void run(int operations) throws Exception;
    }

    /// A side that takes its own time.
    @FunctionalInterface
    interface Timed {
        long nanos(int operations) throws Exception;
    }

    /// The nanoseconds that one operation of either side took in the last invocation.
    @AuxCounters(AuxCounters.Type.EVENTS)
    @State(org.openjdk.jmh.annotations.Scope.Thread)
    public static class Pair {
        /// The core's.
        public double over;

        /// What it is compared with.
        public double under;

        private boolean underFirst;

        void measure(int operations, Batch ours, Batch others) throws Exception {
            measureTimed(operations, timed(ours), timed(others));
        }

        void measureTimed(int operations, Timed ours, Timed others) throws Exception {
            underFirst = !underFirst;
            if (underFirst) {
                under = (double) others.nanos(operations) / operations;
                over = (double) ours.nanos(operations) / operations;
            } else {
                over = (double) ours.nanos(operations) / operations;
                under = (double) others.nanos(operations) / operations;
            }
        }

        private static Timed timed(Batch batch) {
            return operations -> {
                long before = System.nanoTime();
                batch.run(operations);
                return System.nanoTime() - before;
            };
        }
    }

    private final AtomicIntegerArray word = new AtomicIntegerArray(2 * MIDDLE);
    private final Second second = new Second();
    private Scope few;
    private Scope many;
    private Supervisor supervisor;
    private Object sink;

    @Setup(Level.Trial)
    public void open() {
        supervisor = Supervisor.open("bench");
        few = filled("few", 100);
    }

    @TearDown(Level.Trial)
    public void close() {
        second.close();
        if (many != null) {
            many.close();
        }
        few.close();
        supervisor.close();
    }

    private static Scope filled(String name, int values) {
        var scope = Scope.open(name);
        for (int i = 0; i < values; i++) {
            scope.own(THING, "held");
        }
        System.gc(); // so that few and many are both old, and the collector's barriers cost the same
        return scope;
    }

    /// Own and early release beside one compare-and-set.
    @Benchmark
    public void ownBesideCas(Pair pair) throws Exception {
        pair.measure(SHORT, operations -> ownAndRelease(few, operations), this::casOnce);
    }

    /// Own and early release in a scope of a million beside one of a hundred.
    @Benchmark
    public void millionBesideHundred(Pair pair) throws Exception {
        if (many == null) {
            many = filled("many", 1_000_000);
        }
        pair.measure(
                SHORT, operations -> ownAndRelease(many, operations), operations -> ownAndRelease(few, operations));
    }

    /// Fork and join beside a bare virtual thread, from a virtual thread, as a server forks. With one carrier, since with
    /// more the ratio tells which of them happened to take the new thread first.
    @Benchmark
    @Fork(jvmArgsAppend = "-Djdk.virtualThreadScheduler.parallelism=1")
    public void forkBesideThread(Pair pair) throws Exception {
        inTask(() -> pair.measure(FORKS, PairBenchmark::forkAndJoin, PairBenchmark::startAndJoin));
    }

    /// The same with as many carriers as there are processors.
    @Benchmark
    public void forkBesideThreadOnAllCarriers(Pair pair) throws Exception {
        forkBesideThread(pair);
    }

    /// A mask in a task beside two compare-and-sets.
    @Benchmark
    public void maskBesideTwoCas(Pair pair) throws Exception {
        inTask(() -> pair.measure(SHORT, this::mask, this::casTwice));
    }

    /// Two threads that own and release in one supervisor beside two threads with three compare-and-sets each, on words
    /// of their own: what a registration, a claim and a deregistration need at least.
    @Benchmark
    public void supervisorBesideThreeCas(Pair pair) throws Exception {
        pair.measureTimed(
                SIDE_BY_SIDE,
                operations -> second.along(this::superviseAndRelease, operations),
                operations -> second.along(this::casThrice, operations));
    }

    private interface Step {
        void run() throws Exception;
    }

    private void inTask(Step step) throws ExecutionException {
        supervisor
                .fork("pair", () -> {
                    step.run();
                    return "done";
                })
                .get();
    }

    private static void ownAndRelease(Scope scope, int operations) {
        for (int i = 0; i < operations; i++) {
            scope.own(THING, "x").close();
        }
    }

    private void superviseAndRelease(AtomicIntegerArray unused, int operations) {
        for (int i = 0; i < operations; i++) {
            supervisor.own(THING, "x").close();
        }
    }

    private static void forkAndJoin(int operations) {
        for (int i = 0; i < operations; i++) {
            Scope.current().fork("t", () -> "x").join();
        }
    }

    private static void startAndJoin(int operations) throws InterruptedException {
        for (int i = 0; i < operations; i++) {
            Thread.ofVirtual().start(() -> {}).join();
        }
    }

    private void mask(int operations) {
        Object last = "";
        for (int i = 0; i < operations; i++) {
            last = Scope.shielded(() -> "x");
        }
        sink = last;
    }

    private void casOnce(int operations) {
        for (int i = 0; i < operations; i++) {
            cas(word);
        }
    }

    private void casTwice(int operations) {
        for (int i = 0; i < operations; i++) {
            cas(word);
            cas(word);
        }
    }

    private void casThrice(AtomicIntegerArray own, int operations) {
        for (int i = 0; i < operations; i++) {
            cas(own);
            cas(own);
            cas(own);
        }
    }

    private static void cas(AtomicIntegerArray word) {
        int seen = word.get(MIDDLE);
        word.compareAndSet(MIDDLE, seen, seen + 1);
    }

    /// A second thread that does what the first does, at the same time.
    private static final class Second implements AutoCloseable {
        /// Work on a word of one's own.
        interface Work {
            void run(AtomicIntegerArray own, int operations);
        }

        private final CyclicBarrier barrier = new CyclicBarrier(2);
        private final AtomicIntegerArray mine = new AtomicIntegerArray(2 * MIDDLE);
        private final AtomicIntegerArray its = new AtomicIntegerArray(2 * MIDDLE);
        private Thread thread;
        private volatile Work work;
        private volatile int count;
        private volatile long itsNanos;

        /// The mean of both threads' times, without the waits for each other.
        long along(Work both, int operations) throws Exception {
            work = both;
            count = operations;
            if (thread == null) {
                thread = Thread.ofPlatform().daemon().start(this::serve);
            }
            barrier.await();
            long nanos = nanos(mine);
            barrier.await();
            return (nanos + itsNanos) / 2;
        }

        private long nanos(AtomicIntegerArray own) {
            long before = System.nanoTime();
            work.run(own, count);
            return System.nanoTime() - before;
        }

        private void serve() {
            try {
                while (true) {
                    barrier.await();
                    itsNanos = nanos(its);
                    barrier.await();
                }
            } catch (InterruptedException | BrokenBarrierException _) {
                // closed
            }
        }

        @Override
        public void close() {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }
}
