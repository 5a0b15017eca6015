package dev.tenure.core;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;

/// Prints how many bytes the hot operations allocate. Runs in a JVM of its own, where no test kit
/// listens.
public final class AllocationProgram {
    private static final int WARM_UP = 300_000;
    private static final int MEASURED = 100_000;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final ResourceType<String> THING = ResourceType.of("thing", _ -> {});

    /// Keeps results from being optimised away.
    static Object sink = "";

    private AllocationProgram() {}

    /// Starts tasks on platform threads, since the JVM counts no bytes for virtual ones.
    private enum Platform implements Threads {
        THREADS;

        @Override
        public Thread startVirtual(String name, Runnable body) {
            return Thread.ofPlatform().name(name).start(body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            return startVirtual(name, body);
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return Thread.ofPlatform().name(name).unstarted(body);
        }
    }

    /// Prints one line `name bytes` for each operation, as a task of ours runs it.
    ///
    /// @param args none
    /// @throws Exception if the task fails
    public static void main(String[] args) throws Exception {
        try (var supervisor = Supervisor.open("bytes", Supervisor.Options.DEFAULT.with(Platform.THREADS))) {
            supervisor.fork("bytes", () -> measure()).get();
        }
    }

    private static String measure() {
        try (var scope = Scope.open("bytes")) {
            var handle = scope.own(THING, "held");
            print("own-and-release", count -> ownAndRelease(scope, count));
            print("empty-scope", AllocationProgram::emptyScope);
            print("get", count -> get(handle, count));
            print("mask", AllocationProgram::mask);
        }
        return "done";
    }

    private static void print(String name, IntConsumer operation) {
        for (int i = 0; i < 10; i++) {
            operation.accept(WARM_UP / 10);
        }
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            operation.accept(MEASURED);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        System.out.println(name + " " + Math.round(least * 100.0 / MEASURED) / 100.0);
    }

    private static void ownAndRelease(Scope scope, int count) {
        for (int i = 0; i < count; i++) {
            Owned<String> handle = scope.own(THING, "x");
            sink = handle;
            handle.close();
        }
    }

    private static void emptyScope(int count) {
        for (int i = 0; i < count; i++) {
            try (var scope = Scope.open("empty")) {
                sink = scope;
            }
        }
    }

    private static void get(Owned<String> handle, int count) {
        for (int i = 0; i < count; i++) {
            sink = handle.get();
        }
    }

    private static void mask(int count) {
        for (int i = 0; i < count; i++) {
            sink = Scope.shielded(() -> "x");
        }
    }
}
