package dev.tenure.bench.core;

import dev.tenure.core.Owned;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.core.Supervisor;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// What owning costs, beside what it is compared with. Bytes are exact (`-prof gc`); times are to be read as ratios.
@State(org.openjdk.jmh.annotations.Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 2, jvmArgsAppend = "--enable-preview")
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
public class OwnBenchmark {
    static final ResourceType<String> THING = ResourceType.of("thing", _ -> {});
    private static final int LOOP = 100_000;
    private static final int FORKS = 1_000;

    private final AtomicInteger word = new AtomicInteger();
    private String field = "held";
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
    public String fieldRead() {
        return field;
    }

    @Benchmark
    public String get() {
        return handle.get();
    }

    /// Inside a task, whose word is what a mask changes.
    @Benchmark
    @OperationsPerInvocation(LOOP)
    public String mask(Blackhole hole) throws ExecutionException {
        return supervisor
                .fork("masks", () -> {
                    for (int i = 0; i < LOOP; i++) {
                        hole.consume((Object) Scope.shielded(() -> "x"));
                    }
                    return "done";
                })
                .get();
    }

    /// From a virtual thread, as a server forks.
    @Benchmark
    @OperationsPerInvocation(FORKS)
    public String forkAndJoin() throws ExecutionException {
        return supervisor
                .fork("forks", () -> {
                    for (int i = 0; i < FORKS; i++) {
                        Scope.current().fork("t", () -> "x").join();
                    }
                    return "done";
                })
                .get();
    }

    @Benchmark
    @OperationsPerInvocation(FORKS)
    public String bareVirtualThread() throws ExecutionException {
        return supervisor
                .fork("threads", () -> {
                    for (int i = 0; i < FORKS; i++) {
                        Thread.ofVirtual().start(() -> {}).join();
                    }
                    return "done";
                })
                .get();
    }

    /// One supervisor for both threads.
    @State(org.openjdk.jmh.annotations.Scope.Benchmark)
    public static class Crowd {
        private Supervisor supervisor;

        @Setup(Level.Trial)
        public void open() {
            supervisor = Supervisor.open("crowd");
        }

        @TearDown(Level.Trial)
        public void close() {
            supervisor.close();
        }
    }

    @Benchmark
    @Threads(2)
    public void supervisorAdmitAndRetire(Crowd crowd) {
        crowd.supervisor.own(THING, "x").close();
    }
}
