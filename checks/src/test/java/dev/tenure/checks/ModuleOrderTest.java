package dev.tenure.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModuleOrderTest {

    @Test
    void modules_standBelowWhatTheyUse() {
        assertThat(violations(Tree.here())).isEmpty();
    }

    @Test
    void module_aboveWhatItUses_isFound(@TempDir Path folder) {
        var sample =
                new SampleTree(folder).withModule("a").withModule("b", "a", "c").withModule("c");
        assertThat(violations(sample.tree()))
                .containsExactly("tenure-b uses tenure-c: move it below, or the dependency out");
    }

    private static List<String> violations(Tree tree) {
        var above = new HashSet<String>();
        var found = new ArrayList<String>();
        for (var module : tree.modules()) {
            var pom = module.pom();
            var artifact = pom.texts("/project/artifactId").getFirst();
            pom.texts("/project/dependencies/dependency[groupId='dev.tenure']/artifactId").stream()
                    .filter(needed -> !above.contains(needed))
                    .forEach(needed ->
                            found.add(artifact + " uses " + needed + ": move it below, or the dependency out"));
            above.add(artifact);
        }
        return found;
    }
}
