package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static dev.tenure.host.Phase.FLUSH_TELEMETRY;
import static dev.tenure.host.Phase.READINESS_DOWN;

import dev.tenure.host.ConfigurationError;
import dev.tenure.host.Host;
import dev.tenure.host.Part;
import dev.tenure.host.ShutdownReport;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The child program of [HostProcessTest]: a host in one of several situations.
final class StopProgram {
    private StopProgram() {}

    public static void main(String[] arguments) {
        System.exit(Host.exitCode(() -> run(arguments[0])));
    }

    private static ShutdownReport run(String mode) {
        try (var host = Host.named("child")
                .signals(!mode.equals("no-handlers"))
                .stopBudget(Duration.ofSeconds(mode.equals("telemetry") ? 5 : 25))
                .reportTo(StopProgram::tell)
                .start()) {
            host.own(FakePart.named("a").on(DISPOSE_DEPENDENCIES, _ -> System.out.println("closed a")));
            arrange(host, mode);
            System.out.println("up");
            return host.awaitStop();
        }
    }

    private static void tell(ShutdownReport report) {
        System.out.println("json: " + report.toJson().replace("\n", " "));
    }

    private static void arrange(Host host, String mode) {
        var cancelled = new CountDownLatch(1);
        switch (mode) {
            case "busy" ->
                host.own(FakePart.named("busy")
                        .on(DRAIN_IN_FLIGHT, _ -> {
                            System.out.println("draining");
                            cancelled.await();
                        })
                        .onForce(_ -> cancelled.countDown()));
            case "hung" ->
                host.own(FakePart.named("hung")
                        .onAll(_ -> {
                            System.out.println("draining");
                            new CountDownLatch(1).await();
                        })
                        .onForce(_ -> new CountDownLatch(1).await()));
            case "configuration" -> throw ConfigurationError.of("--port", 70_000, "0 to 65535");
            case "failing" -> host.own(failing());
            case "failing-with-hooks" -> {
                addHooks();
                host.own(failing());
            }
            case "telemetry" -> {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("log backend ends")));
                host.own(FakePart.named("sink").on(FLUSH_TELEMETRY, _ -> System.out.println("flushed")));
                host.own(FakePart.named("hung sink").on(FLUSH_TELEMETRY, _ -> new CountDownLatch(1).await()));
                host.cleanup("late", () -> {
                    var ended = new CountDownLatch(1).await(2, TimeUnit.SECONDS);
                    System.out.println("late fails");
                    throw new IllegalStateException("no answer " + ended);
                });
            }
            case "exit-in-initialiser" -> host.own(exiting());
            case "exit-in-cleanup" -> host.cleanup("exits", () -> exit(6));
            case "exit-in-activity-cleanup" ->
                host.activity("exits", activity -> {
                    activity.cleanup("exits", () -> exit(7));
                    return "";
                });
            case "exit-in-readiness" -> host.own(FakePart.named("readiness").on(READINESS_DOWN, _ -> exit(8)));
            default -> {}
        }
    }

    private static Part<FakePart> failing() {
        return _ -> {
            System.out.println("exiting");
            throw new IllegalStateException("cannot start");
        };
    }

    private static Part<FakePart> exiting() {
        return _ -> {
            exit(5);
            throw new IllegalStateException("not reached");
        };
    }

    private static void exit(int code) {
        System.out.println("exiting");
        System.exit(code);
    }

    private static void addHooks() {
        for (var number = 0; number < 30; number++) {
            Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook")));
        }
    }
}
