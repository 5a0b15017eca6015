package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The byte budgets, exact: what the JVM says that a warm thread has allocated.
class AllocationTest {
    @Test
    void hotOperations_keepTheirByteBudgets(@TempDir Path folder) throws Exception {
        Map<String, Double> bytes = measured(folder);
        assertThat(bytes.get("own-and-release"))
                .as("bytes of own and early release")
                .isLessThanOrEqualTo(40.0);
        assertThat(bytes.get("empty-scope")).as("bytes of an empty scope").isLessThanOrEqualTo(48.0);
        assertThat(bytes.get("get")).as("bytes of get").isZero();
        assertThat(bytes.get("mask")).as("bytes of a mask").isZero();
    }

    /// Runs the program with the classes of the core and no test kit that listens.
    private static Map<String, Double> measured(Path folder) throws Exception {
        Path tests = rootOf(AllocationProgram.class);
        Path into = Files.createDirectories(folder.resolve("dev/tenure/core"));
        try (var classes = Files.newDirectoryStream(tests.resolve("dev/tenure/core"), "AllocationProgram*.class")) {
            for (Path file : classes) {
                Files.copy(file, into.resolve(file.getFileName()));
            }
        }
        String java = ProcessHandle.current().info().command().orElseThrow();
        String path = rootOf(Scope.class) + System.getProperty("path.separator") + folder;
        Path output = folder.resolve("out.txt");
        var process = new ProcessBuilder(
                        List.of(java, "-XX:+UseSerialGC", "-cp", path, AllocationProgram.class.getName()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(60, TimeUnit.SECONDS);
            String text = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(ended && process.exitValue() == 0)
                    .as("ended well within 60 s: " + text)
                    .isTrue();
            return text.lines()
                    .map(line -> line.split(" "))
                    .collect(Collectors.toMap(parts -> parts[0], parts -> Double.valueOf(parts[1])));
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path rootOf(Class<?> type) throws URISyntaxException, IOException {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toRealPath();
    }
}
