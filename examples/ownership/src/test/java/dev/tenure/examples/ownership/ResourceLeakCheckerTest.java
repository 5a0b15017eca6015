package dev.tenure.examples.ownership;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.tenure.core.Scope;
import dev.tenure.examples.ownership.LeakCompiler.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

class ResourceLeakCheckerTest {
    private static final Path STUBS = Path.of("src/main/resources/tenure-core.astub");
    private static final Path PAGE = Path.of("../../docs/how-to/resource-leak-checker.md");
    private static final Path RIGHT = Path.of("src/main/java/dev/tenure/examples/ownership/Peer.java");
    private static final Path LEAKS = Path.of("src/test/resources/leaks");

    /// `FalseAlarm` among them: a lambda that returns the value is right, and reported.
    @Test
    void leaks_areFoundOnTheirLinesAndNothingElse() throws IOException {
        var sources = sources();
        List<Finding> found = new LeakCompiler(STUBS)
                .compile(Stream.concat(sources.stream(), Stream.of(RIGHT)).toList());
        assertThat(found)
                .extracting(Finding::file, Finding::line, Finding::kind)
                .containsExactlyInAnyOrder(announced());
        assertThat(found.stream().filter(one -> !one.file().equals("FalseAlarm.java")))
                .hasSize(4)
                .allSatisfy(one -> assertThat(PAGE).content().contains(one.show()));
    }

    private static Tuple[] announced() throws IOException {
        return sources().stream()
                .flatMap(source -> LeakCompiler.announced(source).stream())
                .map(one -> Tuple.tuple(one.file(), one.line(), one.kind()))
                .toArray(Tuple[]::new);
    }

    private static List<Path> sources() throws IOException {
        try (var files = Files.list(LEAKS)) {
            return files.sorted().toList();
        }
    }

    @Test
    void stubs_nameEveryCloseableOfCore() throws IOException {
        var stubs = Files.readString(STUBS);
        var closeables = new ClassFileImporter()
                .importPackagesOf(Scope.class).stream()
                        .filter(type -> type.isAssignableTo(AutoCloseable.class))
                        .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                        .map(JavaClass::getSimpleName)
                        .toList();
        assertThat(closeables).contains("Scope", "Owned");
        assertThat(closeables)
                .allSatisfy(name -> assertThat(stubs)
                        .as("a new closeable of core: say in tenure-core.astub who closes it")
                        .containsPattern("(class|interface) " + name + "\\b"));
    }
}
