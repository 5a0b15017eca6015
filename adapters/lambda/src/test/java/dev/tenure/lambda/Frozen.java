package dev.tenure.lambda;

import dev.tenure.testkit.ChildJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A function in a JVM of its own, run by the official runtime interface client against a [RuntimeApi], and what the
/// kernel says of that process.
final class Frozen implements AutoCloseable {
    private static final String CLIENT = "com.amazonaws.services.lambda.runtime.api.client.AWSLambda";

    /// Compilers, carriers of virtual threads and what wakes them, and what waits for processes.
    private static final List<String> OF_THE_JVM = List.of("C1 ", "ForkJoinPool-", "VirtualThread-", "process reaper");

    private final ChildJvm child;

    /// What a process has that a freeze would keep.
    record Held(List<String> descriptors, List<String> threads) {}

    Frozen(RuntimeApi api, Class<?> function, String... options) {
        var command = new ArrayList<String>();
        command.add(ProcessHandle.current().info().command().orElse("java"));
        command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-Xmx96m"));
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", ManagementFactory.getRuntimeMXBean().getClassPath(), CLIENT));
        command.add(function.getName());
        child = ChildJvm.run(
                command,
                Map.of(
                        "AWS_LAMBDA_RUNTIME_API", api.address(),
                        "AWS_LAMBDA_FUNCTION_NAME", "test",
                        "AWS_LAMBDA_FUNCTION_VERSION", "1",
                        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "512"));
    }

    ChildJvm child() {
        return child;
    }

    void freeze() {
        child.signal(ChildJvm.Signal.STOP);
    }

    void thaw() {
        child.signal(ChildJvm.Signal.CONT);
    }

    /// Files and sockets, without the class path; the names of threads, as far as the kernel has them (15 characters),
    /// each once, without those that the JVM starts and ends as it likes.
    Held held() {
        var process = Path.of("/proc", Long.toString(child.pid()));
        var descriptors = list(process.resolve("fd"))
                .map(Frozen::target)
                .filter(to -> !to.endsWith(".jar"))
                .map(to -> to.replaceAll("\\[\\d+]", ""));
        var threads = list(process.resolve("task"))
                .map(task -> text(task.resolve("comm")))
                .filter(name -> OF_THE_JVM.stream().noneMatch(name::startsWith) && !name.equals("gone"));
        return new Held(
                descriptors.sorted().toList(), threads.distinct().sorted().toList());
    }

    private static Stream<Path> list(Path folder) {
        try (var entries = Files.list(folder)) {
            return entries.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException _) {
            return "gone";
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException _) {
            return "gone";
        }
    }

    @Override
    public void close() {
        if (child.isAlive()) {
            thaw();
        }
        child.close();
    }
}
