package dev.tenure.it.models;

import static dev.tenure.it.models.Spin.Property.LIVENESS;
import static dev.tenure.it.models.Spin.Property.SAFETY;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The models of `models/` hold, each of their broken variants does not, and what they name exists.
class SpinTest {
    /// One right model within bounds.
    record Right(String model, Spin.Property property, List<String> bounds) {}

    /// One planted error; found by an assertion, or by threads that wait for ever.
    record Broken(String model, String variant) {}

    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Path MODELS = ROOT.resolve("models");
    private static final Map<Object, Future<Spin.Verdict>> CHECKS = new HashMap<>();
    private static ExecutorService two = Executors.newFixedThreadPool(2);

    static final List<Right> SMOKE = List.of(
            new Right("transfer.pml", SAFETY, List.of("-DMOVERS=1", "-DRELEASERS=1")),
            new Right("transfer.pml", LIVENESS, List.of("-DMOVERS=0", "-DRELEASERS=1")),
            new Right("cancel.pml", SAFETY, List.of()),
            new Right("cancel.pml", LIVENESS, List.of()),
            new Right("stop.pml", SAFETY, List.of("-DCALLERS=2", "-DACTIVITIES=1")),
            new Right("stop.pml", LIVENESS, List.of("-DCALLERS=1", "-DACTIVITIES=0")));

    static final List<Right> SOAK = List.of(
            new Right("transfer.pml", SAFETY, List.of("-DMOVERS=1", "-DRELEASERS=2")),
            new Right("cancel.pml", SAFETY, List.of("-DINNER_CANCELLERS=2", "-DOUTER_CANCELLERS=2")),
            new Right("stop.pml", SAFETY, List.of("-DCALLERS=2", "-DACTIVITIES=1", "-DTELEMETRY")));

    static final List<Broken> BROKEN = List.of(
            new Broken("transfer.pml", "NO_SHUT"),
            new Broken("transfer.pml", "ABORT_WITHOUT_UNPARK"),
            new Broken("transfer.pml", "RELEASE_WITHOUT_UNPARK"),
            new Broken("transfer.pml", "FILL_BEFORE_CLAIM"),
            new Broken("transfer.pml", "CHECK_THEN_RELEASE"),
            new Broken("transfer.pml", "SECOND_RELEASER_RETURNS"),
            new Broken("transfer.pml", "HOOK_RETIRES"),
            new Broken("cancel.pml", "MASK_DROPS_FLAG"),
            new Broken("cancel.pml", "MASK_WITHOUT_WAIT"),
            new Broken("cancel.pml", "UNMASK_WITHOUT_WAIT"),
            new Broken("cancel.pml", "RING_IGNORES_MASK"),
            new Broken("cancel.pml", "LOOK_THEN_FORGET"),
            new Broken("cancel.pml", "RELEASE_UNMASKED"),
            new Broken("cancel.pml", "LATE_CANCEL_DROPS_SUCCESS"),
            new Broken("cancel.pml", "END_WITHOUT_WAKE"),
            new Broken("cancel.pml", "FORK_WITHOUT_LOOK"),
            new Broken("cancel.pml", "RELEASE_BEFORE_JOIN"),
            new Broken("stop.pml", "FORCE_WITHOUT_BELL"),
            new Broken("stop.pml", "SECOND_SIGNAL_NEW_BUDGET"),
            new Broken("stop.pml", "WAIT_WITHOUT_END"),
            new Broken("stop.pml", "DISPOSE_IN_USE"),
            new Broken("stop.pml", "SECOND_CLOSER_RETURNS"),
            new Broken("stop.pml", "CALLS_OVERLAP"));

    static Stream<Right> rights() {
        return Boolean.getBoolean("tenure.soak") ? Stream.concat(SMOKE.stream(), SOAK.stream()) : SMOKE.stream();
    }

    /// Two at a time: what a check finds does not depend on what runs beside it.
    @BeforeAll
    static void begin(@TempDir Path work) {
        two = Executors.newFixedThreadPool(2);
        rights().forEach(right -> CHECKS.put(right, two.submit(() -> checked(right, work))));
        BROKEN.forEach(broken -> CHECKS.put(broken, two.submit(() -> refuted(broken, work))));
    }

    @AfterAll
    static void end() {
        two.shutdownNow();
        two.close();
        CHECKS.clear();
    }

    private static Spin spin(Path work) throws IOException {
        return new Spin(MODELS, Files.createTempDirectory(work, "check"));
    }

    private static Spin.Verdict checked(Right right, Path work) throws IOException {
        return spin(work).check(right.model(), right.property(), right.bounds());
    }

    private static Spin.Verdict refuted(Broken broken, Path work) throws IOException {
        return spin(work).refute(broken.model(), broken.variant());
    }

    private static Spin.Verdict verdict(Object check) throws Exception {
        return Objects.requireNonNull(CHECKS.get(check)).get();
    }

    @ParameterizedTest
    @MethodSource("rights")
    void model_holds(Right right, TestReporter reporter) throws Exception {
        var verdict = verdict(right);
        reporter.publishEntry(right.toString(), verdict.states() + " states");
        assertThat(verdict.first()).isEmpty();
        assertThat(verdict.errors()).isZero();
        assertThat(verdict.states()).isGreaterThan(10_000);
    }

    @ParameterizedTest
    @FieldSource("BROKEN")
    void brokenVariant_isRefuted(Broken broken) throws Exception {
        var verdict = verdict(broken);
        assertThat(verdict.errors()).isPositive();
        assertThat(verdict.first()).containsAnyOf("assertion violated", "invalid end state");
    }

    @Test
    void readme_listsEachVariant_andNamesMethodsThatExist() throws IOException {
        var readme = Files.readString(MODELS.resolve("README.md"));
        for (var broken : BROKEN) {
            assertThat(readme).contains("| `" + broken.variant() + "` |");
            assertThat(Files.readString(MODELS.resolve(broken.model())))
                    .containsPattern("#ifn?def " + broken.variant() + "\n");
        }
        var missing = new TreeSet<String>();
        for (var found : Pattern.compile("`([A-Z]\\w+)\\.(\\w+)\\(")
                .matcher(readme)
                .results()
                .toList()) {
            if (!hasMethod(found.group(1), found.group(2))) {
                missing.add(found.group(1) + "." + found.group(2));
            }
        }
        assertThat(missing).as("models/README.md: methods that are gone").isEmpty();
    }

    private static boolean hasMethod(String type, String method) throws IOException {
        for (var folder : List.of("core", "host")) {
            var sources = ROOT.resolve(folder + "/src/main/java");
            try (var files = Files.walk(sources)) {
                var source = files.filter(file -> file.endsWith(type + ".java")).findFirst();
                if (source.isPresent()) {
                    return Files.readString(source.get()).contains(" " + method + "(");
                }
            }
        }
        return false;
    }
}
