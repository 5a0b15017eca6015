package dev.tenure.it.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.CloseReport;
import dev.tenure.core.Deadline;
import dev.tenure.core.Observer;
import dev.tenure.core.Threads;
import dev.tenure.host.Activity;
import dev.tenure.host.DeploymentPolicy;
import dev.tenure.host.Host;
import dev.tenure.host.Reopenable;
import dev.tenure.host.ShutdownReport.Completion;
import dev.tenure.testkit.LeakCheck;
import dev.tenure.testkit.Trail;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/// What a module that opens something lazily may rely on, whichever policy the composition root has chosen.
@ExtendWith(LeakCheck.class)
@Timeout(60)
abstract class PolicyContract {
    /// A pool whose close waits for nobody: with a lease out it fails, as one that waits would hang.
    final class Pool {
        private final int number = opened.incrementAndGet();
        private final AtomicInteger out = new AtomicInteger();

        String lend() {
            trail.add("lease of pool " + number);
            out.incrementAndGet();
            return "lease";
        }

        void giveBack() {
            trail.add("given back to pool " + number);
            out.decrementAndGet();
        }

        void close() throws IOException {
            trail.add("close pool " + number);
            closed.incrementAndGet();
            if (out.get() != 0) {
                throw new IOException("pool closes before its own lease's fallback");
            }
        }
    }

    final Trail trail = new Trail();
    final AtomicInteger opened = new AtomicInteger();
    final AtomicInteger closed = new AtomicInteger();
    final List<String> told = new CopyOnWriteArrayList<>();
    final Host host = Host.named("contract")
            .policy(policy())
            .signals(false)
            .observer(new Observer() {
                @Override
                public void failed(String owner, Throwable failure) {
                    told.add(owner + ": " + failure.getMessage());
                }
            })
            .start();
    final Reopenable<Pool> pool = Reopenable.of(host, "pool", Pool::new, Pool::close);

    abstract DeploymentPolicy policy();

    /// How often something that each of so many activities uses is opened.
    abstract int opens(int activities);

    @AfterEach
    void close() {
        host.close();
    }

    private Reopenable.Loan<String> lend(Activity activity) {
        var from = pool.get();
        return pool.lend(activity, "lease", Pool::lend, _ -> from.giveBack());
    }

    @Test
    void get_neverCalled_opensNothing_andAnEmptyRunIsSafe() {
        host.activity("a", _ -> "");

        assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        assertThat(opened).hasValue(0);
    }

    @Test
    void get_manyTimes_opensOnceInACycle_andClosesOnce() {
        for (var number = 0; number < 5; number++) {
            host.activity("a", _ -> {
                assertThat(pool.get()).isSameAs(pool.get());
                assertThat(pool.isOpen()).isTrue();
                return "";
            });
        }
        var closedInActivities = policy() == DeploymentPolicy.PERSISTENT ? 0 : 5;
        assertThat(closed).hasValue(closedInActivities);
        assertThat(pool.isOpen()).isEqualTo(closedInActivities == 0);

        assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        assertThat(opened).hasValue(opens(5));
        assertThat(closed).hasValue(opens(5));
        assertThat(pool.isOpen()).isFalse();
    }

    @Test
    void twoOpenersAtOnce_openOne() {
        var together = new CyclicBarrier(2);
        host.activity("a", activity -> {
            for (var number = 0; number < 2; number++) {
                var signal = activity.background("opener");
                Threads.system().startPlatform("test-opener", () -> {
                    try {
                        together.await();
                        pool.get();
                    } catch (Exception failure) {
                        trail.add(failure.toString());
                    } finally {
                        signal.run();
                    }
                });
            }
            return "";
        });

        host.stopAndWait();
        trail.mustBe("close pool 1");
    }

    @Test
    void background_landsBeforeAnythingIsClosed() {
        var goOn = new CountDownLatch(1);
        host.activity("a", activity -> {
            pool.get();
            var signal = activity.background("audit row");
            Threads.system().startPlatform("test-background", () -> {
                try {
                    goOn.await();
                    pool.get();
                    trail.add("background landed");
                } catch (InterruptedException e) {
                    trail.add(e.toString());
                } finally {
                    signal.run();
                }
            });
            trail.add("answered");
            goOn.countDown();
            return "";
        });

        host.stopAndWait();
        trail.mustBe("answered", "background landed", "close pool 1");
    }

    /// The trap: the pool was registered at its first use, before the lease, and would close first and wait for it.
    @Test
    void leaseThatNobodyGaveBack_isGivenBackBeforeThePoolCloses_andTheLenderIsNamed() {
        var activity = host.openActivity("GET /x");
        var loan = lend(activity);
        activity.cleanup("other", () -> trail.add("other"));

        var report = activity.close(Deadline.none());

        assertThat(report.status()).isEqualTo(CloseReport.Status.FAILED);
        assertThat(report.failures()).singleElement().satisfies(failed -> {
            assertThat(failed.what()).isEqualTo("lease of 'pool'");
            assertThat(failed.failure())
                    .hasMessage("lease of 'pool' was not given back by activity 'GET /x', so its cleanup did: "
                            + "close the loan where it is used");
        });
        assertThatThrownBy(loan::get).hasMessage("lease of 'pool' was used after it had been given back");
        host.stopAndWait();
        if (policy() == DeploymentPolicy.PERSISTENT) {
            trail.mustBe("lease of pool 1", "given back to pool 1", "other", "close pool 1");
        } else {
            trail.mustBe("lease of pool 1", "given back to pool 1", "close pool 1", "other");
        }
    }

    @Test
    void leaseGivenBack_twice_isGivenBackOnce_andItsSpentFallbackSaysNothing() {
        var activity = host.openActivity("GET /x");
        var loan = lend(activity);
        assertThat(loan.get()).isEqualTo("lease");
        loan.close();
        loan.close();

        var report = activity.close(Deadline.none());

        assertThat(report.status()).isEqualTo(CloseReport.Status.CLEAN);
        assertThat(report.released()).as("the spent fallback stayed queued").isEqualTo(opens(2));
        host.stopAndWait();
        trail.mustBe("lease of pool 1", "given back to pool 1", "close pool 1");
        assertThat(told).isEmpty();
    }

    @Test
    void lending_thatFails_leavesNothingToGiveBack() {
        var activity = host.openActivity("GET /x");

        assertThatThrownBy(() -> pool.lend(
                        activity,
                        "lease",
                        _ -> {
                            throw new IOException("none left");
                        },
                        _ -> trail.add("given back")))
                .hasMessage("lease of 'pool' could not be lent: none left");

        assertThat(activity.close(Deadline.none()).status()).isEqualTo(CloseReport.Status.CLEAN);
        host.stopAndWait();
        trail.mustBe("close pool 1");
    }

    @Test
    void opening_thatFails_registersNothing_andTheNextUseTriesAgain() {
        var attempts = new AtomicInteger();
        var flaky = Reopenable.of(
                host,
                "flaky",
                () -> {
                    if (attempts.incrementAndGet() == 1) {
                        throw new IOException("not yet");
                    }
                    return "open";
                },
                value -> trail.add("close " + value));
        host.activity("a", _ -> {
            assertThatThrownBy(flaky::get).hasMessage("'flaky' could not be opened: not yet");
            assertThat(flaky.isOpen()).isFalse();
            return flaky.get();
        });

        assertThat(host.stopAndWait().completion()).isEqualTo(Completion.GRACEFUL);
        trail.mustBe("close open");
    }

    @Test
    void closing_thatFails_neverStopsTheNext_andIsTold() {
        var bad = Reopenable.of(host, "bad", () -> "bad", _ -> {
            throw new IOException("no");
        });
        host.activity("a", _ -> {
            bad.get();
            return pool.get().number;
        });
        var report = host.stopAndWait();

        assertThat(told).anyMatch(line -> line.endsWith(": no"));
        assertThat(report.completion())
                .isEqualTo(policy() == DeploymentPolicy.PERSISTENT ? Completion.FAILED : Completion.GRACEFUL);
        trail.mustBe("close pool 1");
        assertThat(bad.isOpen()).isFalse();
    }

    /// A cleanup that uses what has been closed opens it again, and it is closed again: nothing is dropped.
    @Test
    void get_inACleanup_opensAgainIfNeedBe_andThatIsClosedToo() {
        host.activity("a", activity -> {
            pool.get();
            activity.cleanup("last words", () -> pool.get());
            return "";
        });

        host.stopAndWait();
        assertThat(opened).hasValue(opens(2));
        assertThat(closed).hasValue(opens(2));
    }

    @Test
    void hosts_haveQueuesOfTheirOwn() {
        try (var other = Host.named("other").policy(policy()).signals(false).start()) {
            var theirs = Reopenable.of(other, "theirs", () -> "theirs", _ -> trail.add("close theirs"));
            theirs.get();
            host.activity("a", _ -> "");
            host.stopAndWait();
            trail.mustBe();
        }
        trail.mustBe("close theirs");
    }
}
