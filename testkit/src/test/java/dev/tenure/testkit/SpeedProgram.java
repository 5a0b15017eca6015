package dev.tenure.testkit;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;

/// Prints how many runs a sweep makes in a second of processor time, compiler and collector included.
/// Pin it: `taskset -c 0 java ... SpeedProgram`.
final class SpeedProgram {
    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private SpeedProgram() {}

    public static void main(String[] arguments) {
        int rounds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        for (int i = 0; i < rounds; i++) {
            measure(Sweep.of("one task", Scenarios::right).pairs(20_000));
            measure(Sweep.of("two tasks", Scenarios::forty).schedules(400));
            measure(Sweep.of("three tasks", Scenarios::tasks).schedules(400));
        }
    }

    private static void measure(Sweep sweep) {
        long before = SYSTEM.getProcessCpuTime();
        var report = sweep.budget(Duration.ofMinutes(1)).run();
        long spent = SYSTEM.getProcessCpuTime() - before;
        if (!report.failures().isEmpty()) {
            System.out.println(report);
        }
        System.out.printf(
                "%s: %d points, %d runs, %d ms, %d ms of processor time: %.0f runs a second%n",
                report.scenario(),
                report.points().size(),
                report.runs(),
                report.elapsed().toMillis(),
                spent / 1_000_000,
                report.runs() * 1e9 / spent);
    }
}
