package dev.tenure.it.mutants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A kit that has not failed proves nothing: each mutant of the core is seen by its oracle, through sweeps alone.
class MutantsTest {
    static Iterable<String> scenarios() {
        return MutantScenarios.names();
    }

    static final List<Mutant> MUTANTS = Mutants.ALL;

    @ParameterizedTest
    @MethodSource("scenarios")
    void rightCore_isClean(String scenario) {
        assertThat(new MutantLoader(Map.of()).scenarios().apply(scenario)).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("MUTANTS")
    void mutant_isKilledByItsOracle(Mutant mutant) {
        String seen = new MutantLoader(Map.of(mutant.className(), mutant.bytes()))
                .scenarios()
                .apply(mutant.scenario());
        assertThat(seen.lines().map(line -> line.substring(0, line.indexOf(' '))))
                .as(mutant.what() + "\n" + seen)
                .contains(String.valueOf(mutant.oracle()));
    }

    @Test
    void mutant_ofAMethodThatIsGone_saysSo() {
        var gone = new Mutant("gone", "", "Scope", "noSuchMethod", Edit.without("Scope", "push"), "owning", 1);
        assertThatThrownBy(gone::bytes)
                .hasMessageContaining("'gone'")
                .hasMessageContaining("dev.tenure.core.Scope has no method 'noSuchMethod' any more");
        var other = new Mutant("other", "", "Scope", "acquire", Edit.without("Scope", "none"), "owning", 1);
        assertThatThrownBy(other::bytes).hasMessageContaining("'acquire' has no longer the step that is broken");
    }

    @Test
    void page_isTheTableOfThisRun() throws IOException {
        assertThat(MutantsPage.committed().withoutUnits())
                .isEqualTo(MutantsPage.of(Mutants.ALL).withoutUnits());
    }
}
