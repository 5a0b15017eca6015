package dev.tenure.host.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BudgetPlanTest {
    private static final long MS = Duration.ofMillis(1).toNanos();

    @Test
    void of_defaultBudget_reservesTwoSecondsForForce() {
        var plan = BudgetPlan.of(Duration.ofSeconds(25));

        assertThat(plan).isEqualTo(new BudgetPlan(25_000 * MS, 23_000 * MS, 23_250 * MS, 24_750 * MS));
    }

    @Test
    void of_smallBudget_reservesAQuarterAndASixteenth() {
        var plan = BudgetPlan.of(Duration.ofMillis(400));

        assertThat(plan).isEqualTo(new BudgetPlan(400 * MS, 300 * MS, 325 * MS, 375 * MS));
    }

    @Test
    void forcedAt_afterTheStart_leavesASecondToDisposal_andSeventyMillisecondsIfSomethingHolds() {
        var forced = BudgetPlan.of(Duration.ofSeconds(25)).forcedAt(1_000 * MS);

        assertThat(forced).isEqualTo(new BudgetPlan(2_000 * MS, 1_000 * MS, 1_040 * MS, 1_875 * MS));
        assertThat(forced.reportSoonAfter(1_000 * MS))
                .isEqualTo(new BudgetPlan(1_070 * MS, 1_000 * MS, 1_040 * MS, 1_061_250_000L));
    }

    @Test
    void earlyPhaseEnd_atTheStart_isAQuarterOfTheTimeBeforeForce() {
        var plan = BudgetPlan.of(Duration.ofSeconds(25));

        assertThat(plan.earlyPhaseEnd(0)).isEqualTo(5_750 * MS);
        assertThat(plan.earlyPhaseEnd(23_050 * MS)).isEqualTo(23_100 * MS);
        assertThat(plan.earlyPhaseEnd(24_000 * MS)).isEqualTo(24_000 * MS);
    }

    @Test
    void share_ofTheLastCall_isEverythingThatIsLeft() {
        assertThat(BudgetPlan.share(100, 400, 3)).isEqualTo(200);
        assertThat(BudgetPlan.share(100, 400, 1)).isEqualTo(400);
        assertThat(BudgetPlan.share(500, 400, 3)).isEqualTo(400);
    }

    @Test
    void everyPlan_isOrderedInsideItsBudget() {
        var seed = 20_261_130L;
        var random = new SplittableRandom(seed);
        for (var round = 0; round < 10_000; round++) {
            var budget = Duration.ofNanos(random.nextLong(1, Duration.ofDays(1).toNanos()));
            var plan = BudgetPlan.of(budget);
            assertOrdered(plan, seed, round);
            assertThat(plan.totalNanos() - plan.forceAtNanos()).isLessThanOrEqualTo(2_000 * MS);

            var at = random.nextLong(0, budget.toNanos() + 1);
            var forced = plan.forcedAt(at);
            assertOrdered(forced, seed, round);
            assertThat(forced.totalNanos()).as("only ever shortened").isLessThanOrEqualTo(plan.totalNanos());
            assertThat(forced.totalNanos() - at).isLessThanOrEqualTo(1_000 * MS);
            var soon = forced.reportSoonAfter(at);
            assertOrdered(soon, seed, round);
            assertThat(soon.totalNanos() - at).isLessThanOrEqualTo(70 * MS);
            assertThat(forced.forceAtNanos()).isLessThanOrEqualTo(plan.forceAtNanos());
        }
    }

    private static void assertOrdered(BudgetPlan plan, long seed, int round) {
        assertThat(plan.forceAtNanos())
                .as("seed %d round %d: %s", seed, round, plan)
                .isNotNegative();
        assertThat(plan.cooperativeEndNanos())
                .as("seed %d round %d: %s", seed, round, plan)
                .isBetween(plan.forceAtNanos(), plan.disposeEndNanos());
        assertThat(plan.disposeEndNanos())
                .as("seed %d round %d: %s", seed, round, plan)
                .isLessThanOrEqualTo(plan.totalNanos());
    }
}
