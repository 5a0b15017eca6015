package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ForbiddenTextTest {

    private static final Set<String> BINARY = Set.of("jpg", "jpeg", "png", "gif", "webp", "jar", "class", "db", "p12");

    /// Text that must not stand in the tree. The patterns are written so that they do not match themselves.
    private enum Forbidden {
        MACHINE_PATH("(?<![\\w.])/(root|home/\\w+|work|usr/lib/jvm/\\w+)[/]", "a path of one machine"),
        REGISTRY("(?i)repo1?[.]maven|registry[.]npmjs|deb[.]debian|central[.]sonatype|pypi[.]org", "a registry's host"),
        SKIPPED_TEST("@[D]isabled|\\b[A]ssumptions[.]|\\b[a]ssumeTrue\\b", "a test that may not run"),
        MODULE_IMPORT("(?m)^import [m]odule ", "the formatter cannot read it: import the types");

        private final Pattern pattern;
        private final String reason;

        Forbidden(String pattern, String reason) {
            this.pattern = Pattern.compile(pattern);
            this.reason = reason;
        }
    }

    @Test
    void tree_holdsNone() {
        assertThat(violations(Tree.here())).isEmpty();
    }

    @Test
    void each_isFound(@TempDir Path folder) {
        var sample = new SampleTree(folder)
                .write("a.md", "see /ro" + "ot/notes")
                .write("b.xml", "<url>https://repo1" + ".maven.example</url>")
                .write("C.java", "@Dis" + "abled class C {}")
                .write("D.java", "import" + " module java.base;")
                .write("fine.md", "below /usr/lib/jvm/* or ~/.m2, import modules, assume nothing");
        assertThat(violations(sample.tree()))
                .containsExactly(
                        "C.java: SKIPPED_TEST: a test that may not run",
                        "D.java: MODULE_IMPORT: the formatter cannot read it: import the types",
                        "a.md: MACHINE_PATH: a path of one machine",
                        "b.xml: REGISTRY: a registry's host");
    }

    private static List<String> violations(Tree tree) {
        return tree.files("").stream()
                .filter(ForbiddenTextTest::isText)
                .flatMap(file -> inFile(tree, file))
                .toList();
    }

    private static Stream<String> inFile(Tree tree, Path file) {
        var text = Tree.text(file);
        return Stream.of(Forbidden.values())
                .filter(forbidden -> forbidden.pattern.matcher(text).find())
                .map(forbidden -> tree.show(file) + ": " + forbidden + ": " + forbidden.reason);
    }

    private static boolean isText(Path file) {
        var name = file.getFileName().toString();
        return !BINARY.contains(name.substring(name.lastIndexOf('.') + 1));
    }
}
