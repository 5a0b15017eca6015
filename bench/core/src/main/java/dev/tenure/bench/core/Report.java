package dev.tenure.bench.core;

import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/// Runs all benchmarks in many short iterations and prints one Markdown table and the budgets that follow from it.
///
/// The best iteration is the one that the rest of the machine disturbed least; the median says how much it did.
public final class Report {
    private static final TimeValue ITERATION = TimeValue.milliseconds(100);

    private final Map<String, RunResult> results = new TreeMap<>();

    private Report() {}

    /// Prints the table to standard output.
    ///
    /// @param args the number of measured iterations, 40 by default
    /// @throws RunnerException if a benchmark fails
    public static void main(String[] args) throws RunnerException {
        int iterations = args.length == 0 ? 40 : Integer.parseInt(args[0]);
        Options options = new OptionsBuilder()
                .include("dev.tenure.bench.core.*")
                .forks(1)
                .warmupIterations(15)
                .warmupTime(ITERATION)
                .measurementIterations(iterations)
                .measurementTime(ITERATION)
                .addProfiler(GCProfiler.class)
                .build();
        var report = new Report();
        for (RunResult result : new Runner(options).run()) {
            var parameters = result.getParams();
            String live = parameters.getParamsKeys().contains("live") ? " " + parameters.getParam("live") : "";
            String name = parameters.getBenchmark();
            report.results.put(name.substring(name.lastIndexOf('.') + 1) + live, result);
        }
        report.print();
    }

    private void print() {
        System.out.println("\n| Operation | best ns | median ns | bytes |\n|---|---:|---:|---:|");
        results.forEach((name, result) -> System.out.printf(
                "| %s | %.1f | %.1f | %.0f |%n", name, best(name), median(result), bytes(result)));
        System.out.println("\n| Budget | bound | best | median |\n|---|---:|---:|---:|");
        ratio("own + early release / uncontended CAS", 3, "ownAndRelease", "uncontendedCas");
        ratio("fork + join / bare virtual thread", 1.25, "forkAndJoin", "bareVirtualThread");
        ratio("own + release among 1,000,000 / among 100", 1.2, "ownAndReleaseAmong 1000000", "ownAndReleaseAmong 100");
        difference("get beyond a field read, ns", 1, "get", "fieldRead");
        absolute("mask, ns", 15, "mask");
        absolute("supervisor admit + retire with 2 threads, ns", 100, "supervisorAdmitAndRetire");
        bound("own + early release, bytes", 40, "ownAndRelease");
        bound("empty scope, bytes", 48, "emptyScope");
        bound("get, bytes", 0, "get");
        bound("mask, bytes", 0, "mask");
    }

    private void ratio(String what, double bound, String over, String under) {
        line(what, bound, best(over) / best(under), median(over) / median(under));
    }

    private void difference(String what, double bound, String left, String right) {
        line(what, bound, best(left) - best(right), median(left) - median(right));
    }

    private void absolute(String what, double bound, String name) {
        line(what, bound, best(name), median(name));
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
        return median(results.get(name));
    }

    private static double median(RunResult result) {
        return result.getPrimaryResult().getStatistics().getPercentile(50);
    }

    private static double bytes(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm").getScore();
    }
}
