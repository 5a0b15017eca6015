package dev.tenure.testkit;

import dev.tenure.core.Deadline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/// Fails a test run whose process could not exit: it names every thread that would hold it, with its
/// stack.
///
/// Found by the JUnit launcher through `ServiceLoader` when this module is on the class path.
///
/// **Owner:** the launcher. **Limits:** threads have 2 s of real time to end after the last test; those
/// that ran when the test plan began, and the JVM's own, do not count. **Fails:** by ending the process
/// with exit code 70, since the launcher ignores what a listener throws; the standard error stream says
/// why.
@SuppressWarnings("exports") // found by the launcher alone
public final class ExitCheck implements TestExecutionListener {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final long PAUSE_NANOS = Duration.ofMillis(5).toNanos();

    /// As "internal software error" in `sysexits.h`.
    private static final int EXIT_CODE = 70;

    private Set<Thread> before = Set.of();

    /// For `ServiceLoader`.
    public ExitCheck() {}

    @Override
    public void testPlanExecutionStarted(TestPlan plan) {
        before = Set.copyOf(holding(Set.of()));
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        var limit = Deadline.in(LIMIT);
        var left = holding(before);
        while (!left.isEmpty() && !limit.passed()) {
            LockSupport.parkNanos(PAUSE_NANOS); // the end of a thread wakes nobody, so this looks again
            left = holding(before);
        }
        if (!left.isEmpty()) {
            System.err.println(text(left));
            System.err.flush();
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    static List<Thread> holding(Set<Thread> known) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !thread.isDaemon() && thread != Thread.currentThread() && !known.contains(thread))
                .filter(thread -> !thread.getName().equals("DestroyJavaVM"))
                .toList();
    }

    static String text(List<Thread> left) {
        Map<Thread, String> stacks = left.stream()
                .collect(Collectors.toMap(
                        thread -> thread,
                        thread -> java.util.Arrays.stream(thread.getStackTrace())
                                .map(frame -> "\n      at " + frame)
                                .collect(Collectors.joining())));
        var text = new StringBuilder("%d threads keep this process from its exit, %d ms after the last test:"
                .formatted(left.size(), LIMIT.toMillis()));
        stacks.forEach((thread, stack) -> text.append("\n  thread '")
                .append(thread.getName())
                .append('\'')
                .append(stack));
        return text.append("\n  end them in the test that starts them, or start them as daemons")
                .toString();
    }
}
