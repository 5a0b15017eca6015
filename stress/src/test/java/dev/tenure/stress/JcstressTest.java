package dev.tenure.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs jcstress in a JVM of its own; first on a planted race, which it must refute.
class JcstressTest {
    private static final List<String> SMOKE =
            List.of("-f", "1", "-iters", "3", "-time", "200", "-sc", "false", "-jvmArgs", "-Xmx256m");
    private static final List<String> SOAK = List.of("-m", "quick");
    private static final long LIMIT_SECONDS = 900;

    @Test
    void plantedRace_isRefuted(@TempDir Path work) throws Exception {
        assertThat(run(work, "PlantedStress")).contains("FAILED").contains("released twice");
    }

    @Test
    void handle_wordAndStripe_hold(@TempDir Path work) throws Exception {
        assertThat(run(work, "HandleStress|TaskWordStress|StripeStress"))
                .contains("[OK] dev.tenure.core.HandleStress")
                .contains("[OK] dev.tenure.core.TaskWordStress")
                .contains("[OK] dev.tenure.core.StripeStress")
                .contains(" 0 failed, 0 soft errs, 0 hard errs")
                .doesNotContain("FAILED");
    }

    private static String run(Path work, String tests) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main",
                "-v",
                "-af",
                "NONE",
                "-c",
                "2",
                "-t",
                tests,
                "-r",
                work.resolve("report").toString()));
        command.addAll(Boolean.getBoolean("tenure.soak") ? SOAK : SMOKE);
        var output = work.resolve("output");
        var process = new ProcessBuilder(command)
                .directory(work.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(output);
    }
}
