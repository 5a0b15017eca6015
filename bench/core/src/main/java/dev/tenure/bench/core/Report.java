package dev.tenure.bench.core;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Runs all benchmarks in many short iterations and prints Markdown tables: what each costs, the ratios of what was
/// measured by turns, and the budgets that follow.
///
/// The best iteration is the one that the rest of the machine disturbed least; the median says how much it did. A ratio
/// is that of one pair of batches; its median and quartiles are those of all pairs.
public final class Report {
    private static final TimeValue ITERATION = TimeValue.milliseconds(100);

    /// Ends after one invocation, which is one pair.
    private static final TimeValue ONE_PAIR = TimeValue.microseconds(1);

    private static final int PAIRS = 600;

    private final Map<String, RunResult> results = new TreeMap<>();
    private final Map<String, RunResult> pairs = new TreeMap<>();

    private Report() {}

    /// Prints the tables to standard output.
    ///
    /// @param args the number of measured iterations, 40 by default
    /// @throws RunnerException if a benchmark fails
    public static void main(String[] args) throws RunnerException {
        int iterations = args.length == 0 ? 40 : Integer.parseInt(args[0]);
        var report = new Report();
        run(
                report.pairs,
                new OptionsBuilder()
                        .include("PairBenchmark")
                        .warmupIterations(PAIRS / 2)
                        .warmupTime(ONE_PAIR)
                        .measurementIterations(PAIRS)
                        .measurementTime(ONE_PAIR)
                        .verbosity(VerboseMode.SILENT));
        run(
                report.results,
                new OptionsBuilder()
                        .include("OwnBenchmark")
                        .include("PeersBenchmark")
                        .warmupIterations(15)
                        .warmupTime(ITERATION)
                        .measurementIterations(iterations)
                        .measurementTime(ITERATION)
                        .addProfiler(GCProfiler.class));
        report.printCosts();
        report.printPairs();
        report.printBudgets();
    }

    private static void run(Map<String, RunResult> into, org.openjdk.jmh.runner.options.ChainedOptionsBuilder options)
            throws RunnerException {
        Options one = options.forks(1).build();
        for (RunResult result : new Runner(one).run()) {
            String name = result.getParams().getBenchmark();
            into.put(name.substring(name.lastIndexOf('.') + 1), result);
        }
    }

    private void printCosts() {
        System.out.println("\n| Operation | best ns | median ns | bytes |\n|---|---:|---:|---:|");
        results.forEach((name, result) -> System.out.printf(
                "| %s | %.1f | %.1f | %.0f |%n", name, best(name), median(name), bytes(result)));
    }

    private void printPairs() {
        System.out.println("\n| By turns | best ns | median ns | beside, best ns | beside, median ns |"
                + "\n|---|---:|---:|---:|---:|");
        pairs.keySet()
                .forEach(name -> System.out.printf(
                        "| %s | %.1f | %.1f | %.1f | %.1f |%n",
                        name,
                        quantile(name, Report::over, 0),
                        quantile(name, Report::over, 0.5),
                        quantile(name, Report::under, 0),
                        quantile(name, Report::under, 0.5)));
        System.out.println("\n| Ratio, of " + PAIRS + " pairs | bound | first quartile | median | third quartile |"
                + "\n|---|---:|---:|---:|---:|");
        ratio("own + early release / uncontended CAS", "3.00", "ownBesideCas");
        ratio("fork + join / bare virtual thread, one carrier", "1.25", "forkBesideThread");
        ratio("the same with more carriers", "none", "forkBesideThreadOnAllCarriers");
        ratio("own + release among 1,000,000 / among 100", "1.20", "millionBesideHundred");
        ratio("mask / two uncontended CASs", "none", "maskBesideTwoCas");
        ratio("supervisor admit + retire / three CASs, 2 threads each", "none", "supervisorBesideThreeCas");
    }

    private void ratio(String what, String bound, String name) {
        ToDoubleFunction<IterationResult> ratio = pair -> over(pair) / under(pair);
        System.out.printf(
                "| %s | %s | %.2f | %.2f | %.2f |%n",
                what, bound, quantile(name, ratio, 0.25), quantile(name, ratio, 0.5), quantile(name, ratio, 0.75));
    }

    private void printBudgets() {
        System.out.println("\n| Budget | bound | best | median |\n|---|---:|---:|---:|");
        line("get beyond a field read, ns", 1, best("get") - best("fieldRead"), median("get") - median("fieldRead"));
        byTurns("mask, ns", 15, "maskBesideTwoCas");
        byTurns("supervisor admit + retire with 2 threads, ns", 100, "supervisorBesideThreeCas");
        bound("own + early release, bytes", 40, "ownAndRelease");
        bound("empty scope, bytes", 48, "emptyScope");
        bound("get, bytes", 0, "get");
        bound("mask, bytes", 0, "mask");
    }

    /// Its short batches are cut by the rest of the machine less often than an iteration is.
    private void byTurns(String what, double bound, String name) {
        line(what, bound, quantile(name, Report::over, 0), quantile(name, Report::over, 0.5));
    }

    private void bound(String what, double bound, String name) {
        double bytes = Math.round(bytes(results.get(name)));
        line(what, bound, bytes, bytes);
    }

    private static void line(String what, double bound, double best, double median) {
        System.out.printf("| %s | %.2f | %.2f | %.2f |%n", what, bound, best, median);
    }

    private double best(String name) {
        return results.get(name).getPrimaryResult().getStatistics().getMin();
    }

    private double median(String name) {
        return results.get(name).getPrimaryResult().getStatistics().getPercentile(50);
    }

    private static double bytes(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }

    private static double over(IterationResult pair) {
        return pair.getSecondaryResults().get("over").getScore();
    }

    private static double under(IterationResult pair) {
        return pair.getSecondaryResults().get("under").getScore();
    }

    private double quantile(String name, ToDoubleFunction<IterationResult> figure, double share) {
        double[] sorted = pairs.get(name).getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(figure)
                .sorted()
                .toArray();
        assert Arrays.stream(sorted).allMatch(value -> value > 0);
        return sorted[(int) Math.round(share * (sorted.length - 1))];
    }
}
