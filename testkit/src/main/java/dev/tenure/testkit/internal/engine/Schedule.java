package dev.tenure.testkit.internal.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// Decides who goes on, at every point and every wait.
public interface Schedule {
    /// Whether this point may be a switch; false costs nothing.
    ///
    /// @param step the number of the decision
    /// @return false to go on without looking
    boolean looksAt(int step);

    /// Picks one.
    ///
    /// @param candidates who could go on: at a point the present one first, at a wait by age
    /// @param count how many of them
    /// @param forced whether the present one cannot go on
    /// @param step the number of the decision
    /// @return an index below the count
    int choose(int[] candidates, int count, boolean forced, int step);

    /// Everybody runs until it waits; then the oldest that can.
    ///
    /// @return the schedule
    static Schedule fifo() {
        return new Listed(List.of());
    }

    /// Replays decisions.
    ///
    /// @param switches pairs of decision and choice, all others being the first candidate
    /// @return the schedule
    static Schedule listed(List<int[]> switches) {
        return new Listed(switches);
    }

    /// At every fourth point somebody else, by chance.
    ///
    /// @param seed decides
    /// @return the schedule
    static Schedule random(long seed) {
        return new RandomWalk(seed);
    }

    /// Priorities by chance, lowered at two points chosen by chance.
    ///
    /// @param seed decides
    /// @param steps about how many decisions a run takes
    /// @return the schedule
    static Schedule pct(long seed, int steps) {
        return new Pct(seed, steps);
    }

    /// Decisions given by their numbers.
    final class Listed implements Schedule {
        private final TreeMap<Integer, Integer> switches = new TreeMap<>();
        private int next;

        Listed(List<int[]> given) {
            given.forEach(pair -> switches.put(pair[0], pair[1]));
            next = switches.isEmpty() ? Integer.MAX_VALUE : switches.firstKey();
        }

        @Override
        public boolean looksAt(int step) {
            return step == next;
        }

        @Override
        public int choose(int[] candidates, int count, boolean forced, int step) {
            if (step != next) {
                return 0;
            }
            int choice = switches.getOrDefault(step, 0);
            var following = switches.higherKey(step);
            next = following == null ? Integer.MAX_VALUE : following;
            return Math.min(choice, count - 1);
        }
    }

    /// A switch at a quarter of the points.
    final class RandomWalk implements Schedule {
        private final SplittableRandom random;

        RandomWalk(long seed) {
            random = new SplittableRandom(seed);
        }

        @Override
        public boolean looksAt(int step) {
            return (random.nextInt() & 3) == 0;
        }

        @Override
        public int choose(int[] candidates, int count, boolean forced, int step) {
            return random.nextInt(count);
        }
    }

    /// Burckhardt and others, 2010: a bug of depth d is hit with a probability of at least 1/(n
    /// k^(d-1)).
    final class Pct implements Schedule {
        private static final int DEPTH = 3;

        private final SplittableRandom random;
        private final int[] changes = new int[DEPTH - 1];
        private double[] priority = new double[8];

        Pct(long seed, int steps) {
            random = new SplittableRandom(seed);
            for (int i = 0; i < changes.length; i++) {
                changes[i] = random.nextInt(Math.max(1, steps));
            }
            Arrays.setAll(priority, _ -> random.nextDouble() + 1);
        }

        @Override
        public boolean looksAt(int step) {
            return true;
        }

        @Override
        public int choose(int[] candidates, int count, boolean forced, int step) {
            int best = best(candidates, count);
            for (int i = 0; i < changes.length; i++) {
                if (changes[i] == step) {
                    priority[candidates[best]] = -i;
                    best = best(candidates, count);
                }
            }
            return best;
        }

        private int best(int[] candidates, int count) {
            int best = 0;
            for (int i = 0; i < count; i++) {
                if (priorityOf(candidates[i]) > priorityOf(candidates[best])) {
                    best = i;
                }
            }
            return best;
        }

        private double priorityOf(int actor) {
            if (actor >= priority.length) {
                int known = priority.length;
                priority = Arrays.copyOf(priority, actor * 2);
                for (int i = known; i < priority.length; i++) {
                    priority[i] = random.nextDouble() + 1;
                }
            }
            return priority[actor];
        }
    }

    /// Every schedule with at most so many preemptions, one after the other.
    final class Exhaustive implements Schedule {
        private final int bound;
        private final List<int[]> taken = new ArrayList<>(); // step, choice, alternatives, whether it was forced
        private int replayed;
        private int preemptions;

        /// Begins with the schedule without preemptions.
        ///
        /// @param bound how many preemptions
        public Exhaustive(int bound) {
            this.bound = bound;
        }

        @Override
        public boolean looksAt(int step) {
            return preemptions < bound;
        }

        @Override
        public int choose(int[] candidates, int count, boolean forced, int step) {
            if (count == 1) {
                return 0;
            }
            int choice = 0;
            if (replayed < taken.size()) {
                choice = Math.min(taken.get(replayed)[1], count - 1);
            } else {
                taken.add(new int[] {step, 0, count});
            }
            replayed++;
            if (choice > 0 && !forced) {
                preemptions++;
            }
            return choice;
        }

        /// Goes to the next schedule.
        ///
        /// @return false if there is none
        public boolean advance() {
            while (!taken.isEmpty()) {
                int[] last = taken.getLast();
                if (last[1] + 1 < last[2]) {
                    last[1]++;
                    replayed = 0;
                    preemptions = 0;
                    return true;
                }
                taken.removeLast();
            }
            return false;
        }
    }
}
