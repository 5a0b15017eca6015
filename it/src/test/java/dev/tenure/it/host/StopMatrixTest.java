package dev.tenure.it.host;

import static dev.tenure.host.Phase.DISPOSE_DEPENDENCIES;
import static dev.tenure.host.Phase.DRAIN_IN_FLIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.core.Threads;
import dev.tenure.core.TimeSource;
import dev.tenure.host.Host;
import dev.tenure.host.ShutdownReport;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.host.ShutdownReport.Outcome;
import dev.tenure.testkit.FakeClock;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Everything that holds a stop up, in every way of stopping, beside a component that is slow and ends: the report
/// names exactly the one that cannot end.
@ExtendWith(LeakCheck.class)
@Timeout(60)
class StopMatrixTest {
    /// A way of stopping.
    enum Way {
        /// What holds it up ends in its time.
        GRACEFUL,
        /// What holds it up is cancelled at B-F, on a clock that then stands still until it has obeyed, if it can.
        FORCE,
        /// Somebody asks twice: a second signal does what `force()` does.
        SECOND_SIGNAL,
        /// A short budget ends.
        DEADLINE;

        /// Whether milliseconds decide, so that a busy machine may need another attempt.
        boolean isTimed() {
            return this == SECOND_SIGNAL || this == DEADLINE;
        }
    }

    private static final int ATTEMPTS = 3;

    static Stream<Arguments> cells() {
        return Stream.of(HeldUp.values())
                .flatMap(held -> Stream.of(Way.values()).map(way -> Arguments.of(held, way)));
    }

    @ParameterizedTest
    @MethodSource("cells")
    void stop_namesExactlyWhatCannotEnd(HeldUp held, Way way) throws Exception {
        for (var attempt = 1; ; attempt++) {
            try (var cell = new Cell(held, way)) {
                cell.assertReport(cell.stop());
                return;
            } catch (AssertionError late) {
                if (!way.isTimed() || attempt == ATTEMPTS) {
                    throw late;
                }
            }
        }
    }

    /// One host, held up in one way.
    private static final class Cell implements AutoCloseable {
        private final HeldUp held;
        private final Way way;
        private final FakeClock clock = new FakeClock();
        private final HeldUp.Hands hands = new HeldUp.Hands();
        private final CountDownLatch slowForced = new CountDownLatch(1);
        private final Host host;

        Cell(HeldUp held, Way way) throws Exception {
            this.held = held;
            this.way = way;
            this.host = Host.named("cell")
                    .signals(false)
                    .timeSource(way == Way.FORCE ? clock : TimeSource.system())
                    .threads(new Watched(hands.trail))
                    .stopBudget(way == Way.DEADLINE ? Duration.ofMillis(400) : Duration.ofSeconds(25))
                    .start();
            host.own(FakePart.named("beside").on(DISPOSE_DEPENDENCIES, _ -> hands.trail.add("beside closed")));
            host.own(FakePart.named("slow")
                    .on(DRAIN_IN_FLIGHT, _ -> {
                        hands.trail.add("slow");
                        assertThat(slowForced.await(10, TimeUnit.MILLISECONDS)).isIn(true, false);
                    })
                    .onForce(_ -> slowForced.countDown()));
            held.begin(host, hands);
        }

        ShutdownReport stop() throws Exception {
            if (way == Way.GRACEFUL) {
                hands.letGo();
            }
            host.stop();
            hands.trail.await("slow");
            if (way == Way.SECOND_SIGNAL) {
                host.force();
            } else if (way == Way.FORCE && held.holds()) {
                turnTheClock();
            }
            return host.stopAndWait();
        }

        /// To B-F, and further only if what was forced cannot end.
        private void turnTheClock() {
            hands.trail.await("returned " + DRAIN_IN_FLIGHT + " of 'slow'");
            clock.awaitPending(1);
            clock.advance(Duration.ofSeconds(23));
            if (!held.obeys()) {
                clock.advance(Duration.ofMillis(250));
                clock.advance(Duration.ofMillis(1_750));
            }
        }

        void assertReport(ShutdownReport report) {
            var text = report.toText();
            var unended = new ArrayList<String>();
            report.components().stream()
                    .filter(part -> !part.outcome().hasEnded())
                    .forEach(part -> unended.add(part.name()));
            var cannotEnd = way != Way.GRACEFUL && held.holds() && !held.obeys();
            assertThat(unended).as(text).isEqualTo(cannotEnd ? List.of(held.component()) : List.of());
            assertThat(report.component("slow").orElseThrow().outcome())
                    .as(text)
                    .isIn(way == Way.SECOND_SIGNAL ? ENDED : List.of(Outcome.COMPLETED));
            assertThat(report.component("beside").orElseThrow().outcome())
                    .as(text)
                    .isEqualTo(Outcome.COMPLETED);
            assertThat(report.completion()).as(text).isEqualTo(completion(cannotEnd));
            assertThat(report.quiescent()).isEqualTo(!cannotEnd);
            assertThat(report.reconciles()).as(text).isTrue();
            if (cannotEnd) {
                held.assertNamed(report);
            }
        }

        private static final List<Outcome> ENDED = List.of(Outcome.COMPLETED, Outcome.CANCELLED_BY_FORCE);

        private Completion completion(boolean cannotEnd) {
            if (cannotEnd) {
                return Completion.INCOMPLETE;
            }
            if (held == HeldUp.REFUSING_THREAD) {
                return Completion.FAILED;
            }
            var forced = way == Way.SECOND_SIGNAL || (way != Way.GRACEFUL && held.holds());
            return forced ? Completion.FORCED : Completion.GRACEFUL;
        }

        @Override
        public void close() {
            try {
                hands.letGo();
                hands.join();
            } catch (Exception failure) {
                throw new AssertionError(failure);
            }
        }
    }

    /// A machine that has no thread left for one component, and says when a call has returned.
    private record Watched(Trail trail) implements Threads {
        private static final String PREFIX = "tenure-host-";

        @Override
        public Thread startVirtual(String name, Runnable body) {
            return Threads.system().startVirtual(name, body);
        }

        @Override
        public Thread startPlatform(String name, Runnable body) {
            if (name.endsWith("of 'no thread'")) {
                throw new IllegalStateException("no thread for " + name);
            }
            return Threads.system().startPlatform(name, () -> {
                body.run();
                if (name.startsWith(PREFIX)) {
                    trail.add("returned " + name.substring(PREFIX.length()));
                }
            });
        }

        @Override
        public Thread unstartedPlatform(String name, Runnable body) {
            return Threads.system().unstartedPlatform(name, body);
        }
    }
}
