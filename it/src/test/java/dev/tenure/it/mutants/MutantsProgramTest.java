package dev.tenure.it.mutants;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Asks the core's unit tests about each mutant, and writes the page; on command, since that takes some minutes.
class MutantsProgramTest {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final int MISSED_LEAST = 5;

    private static final Path CORE = Path.of("").toAbsolutePath().getParent().resolve("core");

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void page_isWrittenOnCommand(@TempDir Path folder) throws Exception {
        if (!Boolean.getBoolean("mutants.update")) {
            assertThat(MutantsPage.committed().units()).doesNotContainValue("?");
            assertThat(MutantsPage.committed().units().values())
                    .filteredOn("missed"::equals)
                    .hasSizeGreaterThanOrEqualTo(MISSED_LEAST);
            return;
        }
        assertThat(verdict(folder))
                .as("the right core: %s", Files.readString(folder.resolve("output")))
                .isEqualTo("missed");
        var units = new TreeMap<>(MutantsPage.committed().units());
        var only = Pattern.compile(System.getProperty("mutants.only", ".*")).asMatchPredicate();
        for (Mutant mutant :
                Mutants.ALL.stream().filter(one -> only.test(one.name())).toList()) {
            var own = folder.resolve(mutant.name());
            var file = own.resolve(mutant.className().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, mutant.bytes());
            String verdict = verdict(own).equals("killed") && sameTwice(own) ? "killed" : "missed";
            System.out.println(mutant + ": " + verdict);
            units.put(mutant.name(), verdict);
        }
        MutantsPage.of(Mutants.ALL).withUnits(units).write();
    }

    /// A test that fails now and then says nothing: the same one must fail again.
    private static boolean sameTwice(Path first) throws IOException, InterruptedException {
        var before = failed(first);
        if (!verdict(first).equals("killed")) {
            return false;
        }
        var after = failed(first);
        return after.stream().anyMatch(before::contains) || (before.isEmpty() && after.isEmpty());
    }

    private static List<String> failed(Path first) throws IOException {
        return Files.readAllLines(first.resolve("output")).stream()
                .filter(line -> line.startsWith("failed: "))
                .toList();
    }

    /// A run that does not end is one that fails.
    private static String verdict(Path first) throws IOException, InterruptedException {
        var path = new ArrayList<>(
                List.of(first.toString(), built("test-classes", "RaceTableTest"), built("classes", "Scope")));
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.contains("tenure-core") && !entry.contains("/core/target/"))
                .forEach(path::add);
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        String.join(File.pathSeparator, path),
                        UnitRun.class.getName(),
                        "dev.tenure.core")
                .directory(CORE.toFile())
                .redirectErrorStream(true)
                .redirectOutput(first.resolve("output").toFile())
                .start();
        try {
            boolean ended = process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS);
            if (ended && process.exitValue() == 2) {
                throw new AssertionError(Files.readString(first.resolve("output")));
            }
            return ended && process.exitValue() == 0 ? "missed" : "killed";
        } finally {
            process.destroyForcibly();
        }
    }

    private static String built(String folder, String type) {
        return Stream.of("target/" + folder, "target/fast/" + folder)
                .map(CORE::resolve)
                .filter(at -> Files.exists(at.resolve("dev/tenure/core/" + type + ".class")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("core is not built: ./with25 mvn -pl core test-compile"))
                .toString();
    }
}
