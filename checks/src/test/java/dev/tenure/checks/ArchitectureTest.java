package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

    private static final String SAMPLES = "dev.tenure.checks.samples";

    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .importPaths(Tree.here().modules().stream()
                    .filter(MavenModule::hasMainCode)
                    .map(MavenModule::classes)
                    .toList());

    private static final List<Broken> BROKEN = List.of(
            new Broken(ArchitectureRules.NO_PACKAGE_CYCLES, ".cycle"),
            new Broken(ArchitectureRules.NETTY_STAYS_IN_ITS_ADAPTER, ".netty"),
            new Broken(ArchitectureRules.SQL_STAYS_WITH_ITS_OWNERS, ".sql"),
            new Broken(ArchitectureRules.TIME_AND_THREADS_COME_FROM_CORE, ".time.call"),
            new Broken(ArchitectureRules.TIME_AND_THREADS_COME_FROM_CORE, ".time.reference"),
            new Broken(ArchitectureRules.TIME_AND_THREADS_COME_FROM_CORE, ".time.thread"),
            new Broken(ArchitectureRules.SETTINGS_COME_FROM_THE_COMPOSITION_ROOT, ".settings"));

    /// A rule and the package of a sample that breaks it.
    record Broken(ArchRule rule, String sample) {}

    static Stream<ArchRule> rules() {
        return BROKEN.stream().map(Broken::rule).distinct();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void mainCode_obeys(ArchRule rule) {
        rule.allowEmptyShould(true).check(MAIN_CODE);
    }

    @ParameterizedTest
    @FieldSource("BROKEN")
    void sample_breaksItsRule(Broken broken) {
        var classes = new ClassFileImporter().importPackages(SAMPLES + broken.sample());
        assertThat(broken.rule().evaluate(classes).hasViolation()).isTrue();
    }

    @Test
    void mainCode_isCompiledAsItStands() {
        assertThat(Tree.here().modules())
                .flatMap(MavenModule::staleSources)
                .as("compile the whole tree before the checks run: ./with25 mvn compile")
                .isEmpty();
    }

    @Test
    void sourceWithoutClass_isStale(@TempDir Path folder) {
        var sample = new SampleTree(folder).withModule("a").write("a/src/main/java/p/A.java", "package p; class A {}");
        var module = sample.tree().modules().getFirst();
        assertThat(module.staleSources()).hasSize(1);
        sample.write(folder.relativize(module.classes()) + "/p/A.class", "");
        assertThat(module.staleSources()).isEmpty();
    }
}
