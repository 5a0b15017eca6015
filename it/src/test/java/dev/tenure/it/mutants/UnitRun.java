package dev.tenure.it.mutants;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.ClassNameFilter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs the unit tests of a package and names those that fail: exit code 0 if all pass, 1 if one fails, 2 if there are
/// none.
///
/// Left out: what measures bytes in a JVM of its own, and what waits for the flight recorder. Both look at no law.
public final class UnitRun {
    private static final String LEFT_OUT = "dev\\.tenure\\.core\\.(AllocationTest|ObservingTest)";

    private UnitRun() {}

    /// Runs them.
    ///
    /// @param arguments the package
    public static void main(String[] arguments) {
        var request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectPackage(arguments[0]))
                .filters(ClassNameFilter.excludeClassNamePatterns(LEFT_OUT))
                .build();
        var passed = new int[1];
        var failed = new int[1];
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    System.out.println("failed: " + test.getDisplayName());
                    failed[0]++;
                } else if (test.isTest()) {
                    passed[0]++;
                }
            }
        });
        System.out.println("passed: " + passed[0]);
        Runtime.getRuntime().halt(failed[0] > 0 ? 1 : passed[0] == 0 ? 2 : 0);
    }
}
