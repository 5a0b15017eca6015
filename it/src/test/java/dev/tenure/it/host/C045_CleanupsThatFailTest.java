package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.AdmissionClosed;
import dev.tenure.core.CloseFailure;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// C045: ten cleanups, of which the 3rd throws an exception, the 5th an error, the 7th takes a second, the 8th
/// registers
/// another one, and the 9th returns a stage that fails. Of a scope, and of the process; [HostActivityTest] has those
/// of an activity.
@ExtendWith(LeakCheck.class)
@Timeout(60)
class C045_CleanupsThatFailTest {
    private static final Duration SEVENTH_TAKES = Duration.ofSeconds(1);

    private final Trail trail = new Trail();
    private final ResourceType<Integer> ofScope = ResourceType.of("cleanup", this::inScope);
    private final ResourceType<String> late = ResourceType.of("late", trail::add);

    // ---- a scope: newest first ----

    @Test
    void C045_scope_allRunNewestFirst_eachAwaited_andThePrimaryFailureSurvives() {
        var began = System.nanoTime();

        assertThatThrownBy(this::useScope)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("primary")
                .satisfies(thrown -> assertThat(messages(thrown)).containsExactly("ninth", "fifth", "third"));

        trail.mustBe("10", "9", "9 ended", "8", "added by 8", "7", "7 ended", "6", "5", "4", "3", "2", "1");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(SEVENTH_TAKES);
    }

    @Test
    void C045_scope_withoutAPrimaryFailure_throwsTheFirstAndListsTheOthers() {
        assertThatThrownBy(() -> {
                    try (var scope = Scope.open("ten")) {
                        ownTen(scope);
                    }
                })
                .isInstanceOf(CloseFailure.class)
                .hasMessageContaining("3 of its endings failed, first cleanup: java.io.IOException: ninth")
                .satisfies(thrown -> assertThat(messagesOf(thrown)).containsExactly("ninth", "fifth", "third"));
        trail.mustEndWith("1");
    }

    private void useScope() {
        try (var scope = Scope.open("ten")) {
            ownTen(scope);
            throw new IllegalStateException("primary");
        }
    }

    private void ownTen(Scope scope) {
        for (var number = 1; number <= 10; number++) {
            scope.own(ofScope, number);
        }
    }

    /// What was suppressed under a primary failure: one close, with its failures in order.
    private static Stream<String> messages(Throwable primary) {
        return Stream.of(primary.getSuppressed()).flatMap(C045_CleanupsThatFailTest::messagesOf);
    }

    private static Stream<String> messagesOf(Throwable closeFailure) {
        return closeFailure instanceof CloseFailure
                ? Stream.concat(Stream.of(closeFailure.getCause()), Stream.of(closeFailure.getSuppressed()))
                        .map(Throwable::getMessage)
                : Stream.of(closeFailure.getMessage());
    }

    private void inScope(int number) throws Exception {
        trail.add(String.valueOf(number));
        switch (number) {
            case 3 -> throw new IllegalArgumentException("third");
            case 5 -> throw new AssertionError("fifth");
            case 7 -> takeASecond();
            case 8 ->
                assertThatThrownBy(() -> Scope.current().own(late, "added by 8"))
                        .as("a scope that releases takes nothing more, and ends what it refuses at once")
                        .isInstanceOf(AdmissionClosed.class);
            case 9 -> awaitStage(failingSoon());
            default -> {}
        }
    }

    private static void awaitStage(CompletionStage<?> stage) throws Exception {
        try {
            stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            throw (Exception) e.getCause();
        }
    }

    // ---- the process: in the order of registration ----

    @Test
    void C045_process_allRunInTheOrderOfRegistration_eachAwaited_beforeTheComponents() {
        var host = Host.named("C045").signals(false).start();
        host.own(FakePart.named("database").on(DISPOSE_DEPENDENCIES, _ -> trail.add("database")));
        for (var number = 1; number <= 10; number++) {
            register(host, number);
        }
        ShutdownReport report;
        try (host) {
            report = host.stopAndWait();
        }

        trail.mustBe("1", "2", "3", "4", "5", "6", "7", "7 ended", "8", "9", "9 ended", "10", "added by 8", "database");
        assertThat(report.completion()).isEqualTo(Completion.FAILED);
        assertThat(outcome(report, "3")).isEqualTo(Outcome.FAILED);
        assertThat(outcome(report, "5")).isEqualTo(Outcome.PANICKED);
        assertThat(outcome(report, "9")).isEqualTo(Outcome.FAILED);
        assertThat(report.component("9").orElseThrow().failures().getFirst()).contains("ninth");
        assertThat(outcome(report, "10")).isEqualTo(Outcome.COMPLETED);
        assertThat(outcome(report, "added")).isEqualTo(Outcome.COMPLETED);
    }

    private static Outcome outcome(ShutdownReport report, String name) {
        return report.component(name).orElseThrow().outcome();
    }

    private void register(Host host, int number) {
        var name = String.valueOf(number);
        if (number == 9) {
            host.cleanupStage(name, () -> {
                trail.add(name);
                return failingSoon();
            });
        } else {
            host.cleanup(name, () -> ofProcess(host, number));
        }
    }

    private void ofProcess(Host host, int number) throws Exception {
        trail.add(String.valueOf(number));
        switch (number) {
            case 3 -> throw new IllegalArgumentException("third");
            case 5 -> throw new AssertionError("fifth");
            case 7 -> takeASecond();
            case 8 -> host.cleanup("added", () -> trail.add("added by 8"));
            default -> {}
        }
    }

    // ---- both ----

    private void takeASecond() throws InterruptedException {
        if (new CountDownLatch(1).await(SEVENTH_TAKES.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new AssertionError("nobody counts down");
        }
        trail.add("7 ended");
    }

    /// A stage that is not over when it is returned.
    private CompletionStage<String> failingSoon() {
        return CompletableFuture.runAsync(
                        () -> trail.add("9 ended"), CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS))
                .thenCompose(_ -> CompletableFuture.failedFuture(new IOException("ninth")));
    }
}
