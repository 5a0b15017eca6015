package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SizesTest {

    private SampleTree sample = new SampleTree(Path.of(""));

    @BeforeEach
    void openSample(@TempDir Path folder) {
        sample = new SampleTree(folder).withModule("a");
    }

    @Test
    void tree_keepsItsSizes() {
        var exceptions =
                Exceptions.parse(Tree.text(Tree.here().root().resolve("checks/src/test/resources/size-exceptions.txt"))
                        .lines()
                        .toList());
        assertThat(exceptions.remaining(new Sizes(Tree.here()).findings()))
                .as("make it smaller; size-exceptions.txt is for what cannot be, each line with its reason")
                .isEmpty();
    }

    static Stream<Arguments> limits() {
        return Stream.of(
                Arguments.of("method-lines", "class A { void m() {" + "\n".repeat(59), "} }"),
                Arguments.of("file-lines", "class A {" + "\n".repeat(499), "}"),
                Arguments.of("line-columns", "class A {}" + " ".repeat(110), ""),
                Arguments.of("parameters", "class A { A(int a, int b, int c, int d", ") {} }"),
                Arguments.of("nesting", "class A { void m() { for (;;) { if (x) { try { ", " } finally { } } } } }"));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void file_atTheLimit_passes(String rule, String before, String after) {
        sample.write("a/src/main/java/A.java", before + after);
        assertThat(new Sizes(sample.tree()).findings()).as(rule).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void file_overTheLimit_isFound(String rule, String before, String after) {
        var more = switch (rule) {
            case "line-columns" -> " ";
            case "parameters" -> ", int e";
            case "nesting" -> "while (y) { }";
            default -> "\n";
        };
        sample.write("a/src/main/java/A.java", before + more + after);
        assertThat(new Sizes(sample.tree()).findings())
                .extracting(Finding::rule)
                .containsExactly(rule);
    }

    @Test
    void elseIf_addsNoDepth() {
        sample.write("a/src/main/java/A.java", """
                class A { void m() { if (a) {} else if (b) {} else if (c) {} else if (d) {} else if (e) {} } }
                """);
        assertThat(new Sizes(sample.tree()).findings()).isEmpty();
    }

    @Test
    void record_mayHaveManyComponents() {
        sample.write("a/src/main/java/A.java", "record A(int a, int b, int c, int d, int e) { A { } }");
        assertThat(new Sizes(sample.tree()).findings()).isEmpty();
    }

    @Test
    void testFile_mayBeLonger() {
        sample.write("a/src/test/java/A.java", "class A {" + "\n".repeat(699) + "}");
        assertThat(new Sizes(sample.tree()).findings()).isEmpty();
        sample.write("a/src/test/java/A.java", "class A {" + "\n".repeat(700) + "}");
        assertThat(new Sizes(sample.tree()).findings())
                .extracting(Finding::key)
                .containsExactly("file-lines a/src/test/java/A.java");
    }

    @Test
    void publicTypes_areCountedIfUsersSeeThem() {
        sample.write("a/src/main/java/module-info.java", "module a { exports p; exports p.spi to b; }");
        for (int i = 0; i <= Sizes.PUBLIC_TYPES_MAX; i++) {
            sample.write("a/src/main/java/p/internal/T" + i + ".java", "package p.internal; public class T" + i + "{}");
            sample.write("a/src/main/java/p/spi/T" + i + ".java", "package p.spi; public class T" + i + " {}");
        }
        assertThat(new Sizes(sample.tree()).findings()).isEmpty();
        for (int i = 0; i <= Sizes.PUBLIC_TYPES_MAX; i++) {
            sample.write("a/src/main/java/p/T" + i + ".java", "package p; public class T" + i + " {}");
        }
        assertThat(new Sizes(sample.tree()).findings()).extracting(Finding::key).containsExactly("public-types a");
    }

    @Test
    void exception_coversItsFindingOnly() {
        var exceptions = Exceptions.parse(List.of("# comment", "", "nesting a/A.java#m: one table"));
        assertThat(exceptions.remaining(List.of(finding("a/A.java#m")))).isEmpty();
        assertThat(exceptions.remaining(List.of(finding("a/A.java#m"), finding("a/B.java#m"))))
                .containsExactly("nesting a/B.java#m: 4 (expected: <= 3)");
    }

    @Test
    void exception_withoutFindingOrReason_isReported() {
        var exceptions = Exceptions.parse(List.of("nesting a/A.java#m: gone by now", "nesting a/B.java#m"));
        assertThat(exceptions.remaining(List.of(finding("a/B.java#m"))))
                .containsExactly(
                        "nesting a/A.java#m: stale exception, delete its line",
                        "nesting a/B.java#m: exception without a reason");
    }

    private static Finding finding(String where) {
        return Sizes.over("nesting", where, 4, 3);
    }
}
