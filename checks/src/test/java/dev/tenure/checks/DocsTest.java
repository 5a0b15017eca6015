package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocsTest {

    private static final String PARTS = "# T\n## Context\n## Decision\n## Consequences\n## Rejected options\n";

    private SampleTree sample = new SampleTree(Path.of(""));

    @BeforeEach
    void openSample(@TempDir Path folder) {
        sample = new SampleTree(folder).write("a/src/test/java/A.java", """
                class A {
                    // tag::use
                    void use() {
                        // tag::inner
                        int x = 1;
                        // end::inner
                    }
                    // end::use
                }
                """);
    }

    @Test
    void pages_showCompiledCode() {
        assertThat(new Docs(Tree.here()).snippets()).isEmpty();
    }

    @Test
    void pages_linkToWhatExists() {
        assertThat(new Docs(Tree.here()).links()).isEmpty();
    }

    @Test
    void decisionRecords_haveTheirParts() {
        assertThat(new Docs(Tree.here()).decisionRecords()).isEmpty();
    }

    @Test
    void snippet_likeItsRegion_passes() {
        var use = page("<!-- snippet: a/src/test/java/A.java#use -->", "void use() {\n        int x = 1;\n}");
        assertThat(use.snippets()).singleElement().asString().contains("differs from the file");
        var exact = page("<!-- snippet: a/src/test/java/A.java#use -->", "void use() {\n    int x = 1;\n}");
        assertThat(exact.snippets()).isEmpty();
    }

    @Test
    void snippet_unmarkedOrUnknown_isFound() {
        assertThat(page("Look:", "int x;").snippets())
                .singleElement()
                .asString()
                .contains("without <!-- snippet");
        assertThat(page("<!-- snippet: a/src/test/java/B.java#use -->", "int x;")
                        .snippets())
                .containsExactly("p.md:2: a/src/test/java/B.java is no compiled file of the tree");
        assertThat(page("<!-- snippet: a/src/test/java/A.java#none -->", "int x;")
                        .snippets())
                .containsExactly("p.md:2: a/src/test/java/A.java has no region none");
    }

    private Docs page(String mark, String java) {
        return new Docs(
                sample.write("p.md", mark + "\n```java\n" + java + "\n```\n").tree());
    }

    @Test
    void link_toMissingFileOrHeading_isFound() {
        sample.write("docs/q.md", "# The `one` way\n```text\n[no](nowhere.md)\n```\n");
        sample.write("p.md", """
                [ok](docs/q.md#the-one-way) [ok](docs/q.md) [ok](https://example.org) `[no](x.md)`
                [bad](docs/r.md) and [bad](docs/q.md#two)
                """);
        assertThat(new Docs(sample.tree()).links())
                .containsExactly(
                        "p.md: link to docs/r.md: no such file", "p.md: link to docs/q.md#two: no such heading");
    }

    @Test
    void decisionRecord_withoutPartOrNumber_isFound() {
        sample.write("docs/adr/0001-fine.md", PARTS);
        sample.write("docs/adr/0001-taken.md", PARTS);
        sample.write("docs/adr/0003-prose.md", "Context. A\n\n**Decision.** B\n\nConsequences: C\n\nRejected. D");
        sample.write("docs/adr/0002-short.md", PARTS.replace("## Rejected options\n", ""));
        sample.write("docs/adr/why.md", PARTS);
        assertThat(new Docs(sample.tree()).decisionRecords())
                .containsExactly(
                        "docs/adr/0001-taken.md: its number is taken",
                        "docs/adr/0002-short.md: has no section 'rejected'",
                        "docs/adr/why.md: the name of a decision record is NNNN-title.md");
    }
}
