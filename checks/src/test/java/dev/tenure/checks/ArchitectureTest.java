package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ArchitectureTest {

    private static final String SAMPLES = "dev.tenure.checks.samples";

    private static final JavaClasses MAIN_CODE = new ClassFileImporter()
            .importPaths(Tree.here().modules().stream()
                    .filter(MavenModule::hasMainCode)
                    .map(MavenModule::classes)
                    .toList());

    /// Each rule with the sample that breaks it.
    static Stream<Arguments> rules() {
        return Stream.of(
                rule("no package cycles", ArchitectureRules.NO_PACKAGE_CYCLES, ".cycle"),
                rule("netty", ArchitectureRules.NETTY_STAYS_IN_ITS_ADAPTER, ".netty"),
                rule("java.sql", ArchitectureRules.SQL_STAYS_WITH_ITS_OWNERS, ".sql"),
                rule("time by call", ArchitectureRules.TIME_AND_THREADS_COME_FROM_CORE, ".time.call"),
                rule("time by reference", ArchitectureRules.TIME_AND_THREADS_COME_FROM_CORE, ".time.reference"),
                rule("raw thread", ArchitectureRules.TIME_AND_THREADS_COME_FROM_CORE, ".time.thread"),
                rule("settings", ArchitectureRules.SETTINGS_COME_FROM_THE_COMPOSITION_ROOT, ".settings"));
    }

    private static Arguments rule(String name, ArchRule rule, String sample) {
        return Arguments.of(Named.of(name, rule), SAMPLES + sample);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void mainCode_obeys(ArchRule rule, String sample) {
        assertThat(sample).isNotBlank();
        rule.allowEmptyShould(true).check(MAIN_CODE);
    }

    @ParameterizedTest
    @MethodSource("rules")
    void sample_breaksItsRule(ArchRule rule, String sample) {
        var classes = new ClassFileImporter().importPackages(sample);
        assertThat(rule.evaluate(classes).hasViolation()).isTrue();
    }

    @Test
    void everyModuleWithMainCode_isCompiled() {
        assertThat(Tree.here().modules())
                .filteredOn(MavenModule::hasMainCode)
                .allSatisfy(module -> assertThat(Files.isDirectory(module.classes()))
                        .as("%s: compile the whole tree before the checks run", module.classes())
                        .isTrue());
    }
}
