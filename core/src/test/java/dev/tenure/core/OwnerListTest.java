package dev.tenure.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The list of an owner, whose links back are made late: whatever is taken out and in whichever order,
/// the rest stays, newest first.
class OwnerListTest extends CoreTest {
    private static final int SEEDS = Boolean.getBoolean("tenure.soak") ? 20_000 : 500;
    private static final int STEPS = 60;

    private final ResourceType<Integer> numbered = ResourceType.of("numbered", number -> trail.add("" + number));

    @Test
    void scope_valuesEndEarlyInAnyOrder_theRestEndsNewestFirst() {
        for (int seed = 0; seed < SEEDS; seed++) {
            trail.clear();
            var expected = new ArrayList<String>();
            var left = new ArrayList<String>();
            try (var scope = Scope.open("s")) {
                endSome(scope, new Random(seed), left, expected);
            }
            expected.addAll(left.reversed());
            assertThat(trail).as("seed %d", seed).isEqualTo(expected);
        }
    }

    private void endSome(Scope scope, Random random, List<String> left, List<String> ended) {
        var handles = new ArrayList<Owned<Integer>>();
        for (int step = 0; step < STEPS; step++) {
            if (handles.isEmpty() || random.nextInt(5) < 3) {
                handles.add(scope.own(numbered, step));
                left.add("" + step);
            } else {
                int which = random.nextInt(3) == 0 ? handles.size() - 1 : random.nextInt(handles.size());
                ended.add(left.remove(which));
                Owned<Integer> handle = handles.remove(which);
                handle.close();
                handle.close(); // taking it out again changes nothing
            }
        }
    }

    @Test
    void supervisor_valuesEndInAnyOrder_theOthersAreStillThere() {
        for (int seed = 0; seed < SEEDS; seed++) {
            try (var supervisor = Supervisor.open("s")) {
                var handles = endSome(supervisor, new Random(seed));
                List<Owned<?>> linked = supervisor
                        .stripes()
                        .<Owned<?>>flatMap(stripe -> stripe.liveHandles().stream())
                        .toList();
                assertThat(linked).as("seed %d", seed).isEqualTo(handles.reversed());
            }
        }
    }

    private List<Owned<Integer>> endSome(Supervisor supervisor, Random random) {
        List<Owned<Integer>> handles = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            if (handles.isEmpty() || random.nextInt(5) < 3) {
                handles.add(supervisor.own(numbered, step));
            } else {
                handles.remove(random.nextInt(handles.size())).close();
            }
            assertThat(supervisor.live()).isEqualTo(handles.size());
        }
        return handles;
    }
}
