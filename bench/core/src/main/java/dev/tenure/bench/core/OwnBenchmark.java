package dev.tenure.bench.core;

import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What owning costs, beside what it is compared with. Bytes are exact (`-prof gc`); times are to be read as ratios.
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class OwnBenchmark {
    private static final ResourceType<String> THING = ResourceType.of("thing", _ -> {});

    private final AtomicInteger word = new AtomicInteger();
    private Scope scope;
    private Owned<String> handle;
    private Supervisor supervisor;

    @Setup(Level.Trial)
    public void open() {
        scope = Scope.open("bench");
        handle = scope.own(THING, "held");
        supervisor = Supervisor.open("bench");
    }

    @TearDown(Level.Trial)
    public void close() {
        scope.close();
        supervisor.close();
    }

    @Benchmark
    public boolean uncontendedCas() {
        int seen = word.get();
        return word.compareAndSet(seen, seen + 1);
    }

    @Benchmark
    public void ownAndRelease() {
        scope.own(THING, "x").close();
    }

    @Benchmark
    public Scope emptyScope() {
        try (var inner = Scope.open("inner")) {
            return inner;
        }
    }

    @Benchmark
    public String get() {
        return handle.get();
    }

    @Benchmark
    public Object forkAndJoin() {
        return supervisor.fork("t", () -> "x").join();
    }

    @Benchmark
    public Thread bareVirtualThread() throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(() -> {});
        thread.join();
        return thread;
    }
}
