package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Scope;
import dev.tenure.core.Threads;
import dev.tenure.host.Activity;
import dev.tenure.host.Host;
import dev.tenure.host.HostStopping;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
@Timeout(60)
class HostActivityTest {
    private final Trail trail = new Trail();
    private final FakeClock clock = new FakeClock();
    private final List<CloseReport> overdue = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private final Host host = Host.named("work")
            .signals(false)
            .timeSource(clock)
            .gateAge(Duration.ofSeconds(30))
            .observer(new Observer() {
                @Override
                public void failed(String owner, Throwable failure) {
                    failed.add(owner + ": " + failure.getMessage());
                }

                @Override
                public void overdue(CloseReport report) {
                    overdue.add(report);
                }
            })
            .start();

    @AfterEach
    void close() {
        host.close();
    }

    @Test
    void activity_isCurrentInItsBody_andEndsWithIt() {
        var seen = new AtomicReference<Activity>();
        String result = host.activity("GET /x", activity -> {
            seen.set(activity);
            activity.cleanup(
                    "a", () -> trail.add("cleanup in " + Scope.current().name()));
            assertThat(Activity.current()).isSameAs(activity);
            trail.add("body");
            return "ok";
        });

        assertThat(result).isEqualTo("ok");
        trail.mustBe("body", "cleanup in GET /x");
        assertThatThrownBy(Activity::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("runs no activity");
        assertThatThrownBy(() -> seen.get().background("too late"))
                .hasMessageContaining("'too late' came after its gate had passed");
        assertThatThrownBy(() -> seen.get().cleanup("too late", () -> {}))
                .hasMessageContaining("came after its 1 cleanups had run: end it yourself");
    }

    @Test
    void cleanups_runInOrderOfRegistration_usersFirst() {
        host.activity("order", activity -> {
            var pool = activity.cleanup("pool", () -> trail.add("pool"));
            activity.cleanup("file", () -> trail.add("file"));
            activity.cleanup("lease", () -> trail.add("lease"), pool);
            activity.cleanup("last", () -> trail.add("last"));
            return "";
        });

        trail.mustBe("file", "lease", "pool", "last");
    }

    @Test
    void gate_nestedRegistration_isAwaited_andSignalsAreIdempotent() {
        var outerGoesOn = new CountDownLatch(1);
        var nestedGoesOn = new CountDownLatch(1);
        var activity = host.openActivity("gate");
        activity.cleanup("c", () -> trail.add("cleanup"));
        var outer = activity.background("outer");
        Threads.system().startPlatform("test-outer", () -> {
            await(outerGoesOn);
            var nested = activity.background("nested");
            Threads.system().startPlatform("test-nested", () -> {
                await(nestedGoesOn);
                trail.add("nested done");
                nested.run();
                nested.run();
            });
            outer.run();
            outer.run();
            trail.add("outer done");
        });
        var closing = Threads.system().startPlatform("test-close", () -> {
            activity.close();
            trail.add("closed");
        });

        outerGoesOn.countDown();
        trail.mustBe("outer done");
        assertThat(activity.holders()).extracting(dev.tenure.core.Holder::what).containsExactly("nested");
        nestedGoesOn.countDown();
        trail.mustBe("outer done", "nested done", "cleanup", "closed");
        assertThat(activity.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
        join(closing);
    }

    @Test
    void gate_waitsLongerThanItsAge_tellsWhoHoldsIt() {
        var activity = host.openActivity("GET /slow");
        var signal = activity.background("audit row");
        var closing = Threads.system().startPlatform("test-close", activity::close);
        clock.awaitPending(1);

        clock.advance(Duration.ofSeconds(30));

        assertThat(overdue).hasSize(1);
        assertThat(overdue.getFirst().pending().getFirst().what()).isEqualTo("audit row");
        assertThat(overdue.getFirst().pending().getFirst().age()).isEqualTo(Duration.ofSeconds(30));
        signal.run();
        join(closing);
    }

    @Test
    void gate_thatNeverSignals_isRetainedByTheStopsBudget_andCleanedUpWhenItDoes() {
        var signal = new AtomicReference<Runnable>();
        var running = Threads.system()
                .startPlatform(
                        "test-activity",
                        () -> host.activity("GET /stuck", activity -> {
                            activity.cleanup("c", () -> trail.add("cleanup"));
                            signal.set(activity.background("index update"));
                            trail.add("body done");
                            return "";
                        }));
        trail.await("body done");
        var forced = new CountDownLatch(1);
        host.own(FakePart.named("mark")
                .on(dev.tenure.host.Phase.DRAIN_IN_FLIGHT, _ -> {
                    trail.add("draining");
                    forced.await();
                })
                .onForce(_ -> {
                    trail.add("forced");
                    forced.countDown();
                }));

        host.stop();
        trail.await("draining");
        clock.advance(Duration.ofSeconds(23));
        trail.await("forced");
        clock.advance(Duration.ofMillis(125));
        join(running);
        clock.advance(Duration.ofMillis(125));
        var report = host.stopAndWait();

        trail.mustBe("body done", "draining", "forced");
        assertThat(report.completion()).isEqualTo(Completion.INCOMPLETE);
        var activities = report.component("activities").orElseThrow();
        assertThat(activities.outcome()).isEqualTo(Outcome.RETAINED);
        assertThat(activities.count("retained")).isEqualTo(1);
        assertThat(report.reconciles()).isTrue();
        assertThat(report.toText()).contains("background work of 'GET /stuck' held by index update for 23 s");
        signal.get().run();
        trail.mustBe("body done", "draining", "forced", "cleanup");
    }

    @Test
    void cleanup_registeredDuringTheDrain_landsInTheSameDrain() {
        host.activity("late", activity -> {
            activity.cleanup("first", () -> {
                trail.add("first");
                activity.cleanup("added", () -> trail.add("added"));
            });
            activity.cleanup("second", () -> trail.add("second"));
            return "";
        });

        trail.mustBe("first", "second", "added");
    }

    @Test
    void C045_cleanupThatThrows_neverStopsTheOthers_andThePrimaryFailureSurvives() {
        var seventh = new CountDownLatch(1);
        var stage = new CompletableFuture<String>();
        var helper = Threads.system().startPlatform("test-helper", () -> {
            trail.await("7 began");
            seventh.countDown();
            trail.await("9 began");
            stage.completeExceptionally(new IOException("ninth"));
        });

        assertThatThrownBy(() -> host.activity("ten", activity -> {
                    for (var number = 1; number <= 10; number++) {
                        register(activity, number, seventh, stage);
                    }
                    throw new IllegalStateException("primary");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("primary")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .containsExactly("third", "fifth", "ninth"));

        trail.mustBe("1", "2", "3", "4", "5", "6", "7 began", "7", "8", "9 began", "10", "added by 8");
        join(helper);
        var report = stopped();
        assertThat(report.component("activities").orElseThrow().count("completed"))
                .isEqualTo(1);
    }

    private void register(Activity activity, int number, CountDownLatch seventh, CompletableFuture<String> stage) {
        var name = String.valueOf(number);
        switch (number) {
            case 3 ->
                activity.cleanup(name, () -> {
                    trail.add(name);
                    throw new IllegalArgumentException("third");
                });
            case 5 ->
                activity.cleanup(name, () -> {
                    trail.add(name);
                    throw new AssertionError("fifth");
                });
            case 7 ->
                activity.cleanup(name, () -> {
                    trail.add("7 began");
                    seventh.await();
                    trail.add(name);
                });
            case 8 ->
                activity.cleanup(name, () -> {
                    trail.add(name);
                    activity.cleanup("added", () -> trail.add("added by 8"));
                });
            case 9 ->
                activity.cleanupStage(name, () -> {
                    trail.add("9 began");
                    return stage;
                });
            default -> activity.cleanup(name, () -> trail.add(name));
        }
    }

    @Test
    void activity_cleanupFails_bodySucceeded_isToldToTheObserver() {
        String result = host.activity("quiet", activity -> {
            activity.cleanup("bad", () -> {
                throw new IOException("no");
            });
            return "ok";
        });

        assertThat(result).isEqualTo("ok");
        assertThat(failed).containsExactly("bad: no");
    }

    @Test
    void stop_activityInFlight_isAwaited_andNothingNewIsAdmitted() {
        var goOn = new CountDownLatch(1);
        var running = Threads.system()
                .startPlatform(
                        "test-activity",
                        () -> host.activity("slow", _ -> {
                            trail.add("running");
                            await(goOn);
                            trail.add("done, cancelled "
                                    + Scope.current().cancelled().isPresent());
                            return "";
                        }));
        trail.await("running");
        host.own(FakePart.named("mark").on(dev.tenure.host.Phase.DRAIN_IN_FLIGHT, _ -> trail.add("draining")));
        host.stop();
        trail.await("draining");

        assertThatThrownBy(() -> host.activity("late", _ -> "")).isInstanceOf(HostStopping.class);
        goOn.countDown();
        var report = stopped();

        trail.mustEndWith("done, cancelled false");
        var activities = report.component("activities").orElseThrow();
        assertThat(activities.counts())
                .containsEntry("admitted", 1L)
                .containsEntry("completed", 1L)
                .containsEntry("cancelled", 0L)
                .containsEntry("retained", 0L);
        assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
        join(running);
    }

    @Test
    void stop_activityThatLasts_isCancelledAtForce() {
        var running = Threads.system()
                .startPlatform(
                        "test-activity",
                        () -> host.activity("long", _ -> {
                            trail.add("running");
                            while (Scope.current().cancelled().isEmpty()) {
                                Thread.onSpinWait();
                            }
                            return "";
                        }));
        trail.await("running");
        host.stop();
        clock.awaitPending(1);
        clock.advance(Duration.ofSeconds(23));

        var report = host.stopAndWait();

        assertThat(report.completion()).isEqualTo(Completion.FORCED);
        assertThat(report.component("activities").orElseThrow().count("cancelled"))
                .isEqualTo(1);
        join(running);
    }

    @Test
    @SuppressWarnings("NullAway") // what a caller outside of the checks can do
    void activity_withoutNameOrBody_isRefusedBeforeItCounts() {
        assertThatThrownBy(() -> host.activity(null, _ -> "")).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> host.activity("work", null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> host.openActivity(null)).isInstanceOf(NullPointerException.class);

        var report = stopped();
        assertThat(report.completion()).isEqualTo(Completion.GRACEFUL);
        assertThat(report.component("activities"))
                .as("nothing was admitted, so there is nothing to report")
                .isEmpty();
    }

    private dev.tenure.host.ShutdownReport stopped() {
        return host.stopAndWait();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
