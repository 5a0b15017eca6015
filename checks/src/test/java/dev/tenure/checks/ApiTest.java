package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Every change of a public API shows in `checks/api`; `mvn -pl checks test -Dapi.update=true` writes it there.
class ApiTest {

    static List<MavenModule> libraries() {
        return Tree.here().modules().stream()
                .filter(MavenModule::hasMainCode)
                .filter(module -> !Tree.here().show(module.folder()).startsWith("examples/"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void api_isTheCommittedOne(MavenModule module) throws IOException {
        var golden = golden(module);
        var actual = new ApiListing(module.classes()).text();
        if (Boolean.getBoolean("api.update")) {
            Files.createDirectories(golden.getParent());
            Files.writeString(golden, actual);
        }
        assertThat(golden)
                .as("a meant change of the API? ./with25 mvn -pl checks test -Dapi.update=true, then review the diff")
                .exists()
                .hasContent(actual);
    }

    @Test
    void goldenFiles_belongToModules() {
        assertThat(Tree.files(Tree.here().root().resolve("checks/api"), ".txt"))
                .isSubsetOf(libraries().stream().map(ApiTest::golden).toList());
    }

    @Test
    void errorsPage_namesEveryPublicException() throws IOException {
        var page = Files.readString(Tree.here().root().resolve("docs/reference/errors.md"));
        var thrown = Pattern.compile(
                "class dev\\.tenure\\.\\w+\\.(\\S+) extends \\S*(Exception|Error|Refusal|Full|Unavailable) ");
        var named = new ArrayList<String>();
        for (var file : Tree.files(Tree.here().root().resolve("checks/api"), ".txt")) {
            thrown.matcher(Files.readString(file))
                    .results()
                    .map(found -> found.group(1).replace('$', '.'))
                    .forEach(named::add);
        }
        assertThat(named)
                .hasSizeGreaterThan(40)
                .allSatisfy(
                        name -> assertThat(page).as("docs/reference/errors.md").contains("`" + name + "`"));
    }

    private static Path golden(MavenModule module) {
        return Tree.here().root().resolve("checks/api").resolve(module.name() + ".txt");
    }

    @Test
    void listing_showsWhatUsersSee(@TempDir Path folder) {
        new SampleTree(folder)
                .write("src/module-info.java", "module m { exports p; exports p.friend to java.logging; }")
                .write("src/p/A.java", """
                        package p;
                        public class A {
                            protected int seen;
                            int hidden;
                            public record In(int x) {}
                            private record Out(int x) {}
                            static class Hidden { public static class Deep {} }
                        }
                        """)
                .write("src/p/B.java", "package p; class B {}")
                .write("src/p/friend/C.java", "package p.friend; public class C {}");
        compile(folder);
        assertThat(new ApiListing(folder.resolve("out")).text()).isEqualTo("""
                        module m {
                          requires mandated java.base
                          exports p
                          exports p.friend to java.logging
                        }

                        public class p.A {
                          protected int seen;
                          public p.A();
                        }

                        public final class p.A$In extends java.lang.Record {
                          public p.A$In(int);
                          public final java.lang.String toString();
                          public final int hashCode();
                          public final boolean equals(java.lang.Object);
                          public int x();
                        }
                        """);
    }

    private static void compile(Path folder) {
        var sources = Tree.files(folder.resolve("src"), ".java").stream().map(Path::toString);
        var options = List.of("-proc:none", "-d", folder.resolve("out").toString());
        var arguments =
                java.util.stream.Stream.concat(options.stream(), sources).toArray(String[]::new);
        assertThat(ToolProvider.findFirst("javac").orElseThrow().run(System.out, System.err, arguments))
                .isZero();
    }
}
