package dev.tenure.bench.core;

import com.google.common.io.Closer;
import dev.tenure.core.Scope;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.ref.Cleaner;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The same work by what else ends things on the JVM: four values opened and closed together, or one task run to its
/// end from a virtual thread.
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-preview")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class PeersBenchmark {
    private static final int FORKS = 1_000;
    private static final Cleaner CLEANER = Cleaner.create();

    /// Something to close.
    private static final class Thing implements AutoCloseable, java.io.Closeable {
        private boolean open = true;

        @Override
        public void close() {
            open = false;
        }
    }

    @Benchmark
    public Object fourByScope() {
        try (var scope = Scope.open("four")) {
            for (int i = 0; i < 4; i++) {
                scope.own(OwnBenchmark.THING, "x");
            }
            return scope;
        }
    }

    @Benchmark
    public Object fourByTryWithResources() {
        try (var one = new Thing();
                var two = new Thing();
                var three = new Thing();
                var four = new Thing()) {
            return four.open;
        }
    }

    @Benchmark
    public Object fourByGuavaCloser() throws IOException {
        try (var closer = Closer.create()) {
            for (int i = 0; i < 4; i++) {
                closer.register(new Thing());
            }
            return closer;
        }
    }

    @Benchmark
    public void oneByCleaner() {
        var thing = new Thing();
        CLEANER.register(thing, () -> {}).clean();
    }

    @Benchmark
    public Object emptyByConfinedArena() {
        try (var arena = Arena.ofConfined()) {
            return arena;
        }
    }

    @Benchmark
    @OperationsPerInvocation(FORKS)
    public Object taskByStructuredTaskScope() throws InterruptedException, ExecutionException {
        return inVirtualThread(() -> {
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(() -> "x");
                return scope.join();
            }
        });
    }

    @Benchmark
    @OperationsPerInvocation(FORKS)
    public Object taskByScope() throws InterruptedException, ExecutionException {
        return inVirtualThread(() -> {
            try (var scope = Scope.open("s")) {
                return scope.fork("t", () -> "x").join();
            }
        });
    }

    private static Object inVirtualThread(java.util.concurrent.Callable<?> once)
            throws InterruptedException, ExecutionException {
        var all = new java.util.concurrent.FutureTask<Object>(() -> {
            Object last = "";
            for (int i = 0; i < FORKS; i++) {
                last = once.call();
            }
            return last;
        });
        Thread.ofVirtual().start(all).join();
        return all.get();
    }
}
