package dev.tenure.host.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DependencyOrderTest {
    @Test
    void sort_withoutEdges_keepsTheOrder() {
        assertThat(order(Map.of()).sort(List.of("c", "a", "b"))).containsExactly("c", "a", "b");
    }

    @Test
    void sort_userAfterWhatItUses_putsTheUserFirst() {
        var edges = Map.of("lease", Set.of("pool"), "job", Set.of("lease"));

        assertThat(order(edges).sort(List.of("pool", "log", "lease", "job")))
                .containsExactly("log", "job", "lease", "pool");
    }

    @Test
    void sort_usesWhatIsNotThere_ignoresIt() {
        assertThat(order(Map.of("a", Set.of("gone"))).sort(List.of("a", "b"))).containsExactly("a", "b");
    }

    @Test
    void cycle_ofThree_isNamedInFull() {
        var edges = Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a"), "x", Set.of("a"));

        assertThat(order(edges).cycle(List.of("x", "a", "b", "c")).orElseThrow())
                .containsExactly("a", "b", "c", "a");
    }

    @Test
    void cycle_inADiamond_isNone() {
        var edges = Map.of("top", Set.of("left", "right"), "left", Set.of("bottom"), "right", Set.of("bottom"));

        assertThat(order(edges).cycle(List.of("top", "left", "right", "bottom")))
                .isEmpty();
    }

    private static DependencyOrder<String> order(Map<String, Set<String>> edges) {
        return new DependencyOrder<>(item -> edges.getOrDefault(item, Set.of()));
    }
}
