package dev.tenure.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.core.Deadline;
import dev.tenure.core.Permits;
import dev.tenure.core.ResourceType;
import dev.tenure.core.Scope;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// Each oracle sees the mistake it is there for, in code as a user writes it, and says what to do.
@SuppressWarnings("try") // a tracked close may be interrupted: that is what is tested
class OracleTest {
    @Test
    void o1_releaseThatDoesNotEnd() {
        var type = ResourceType.<FakeSocket>of("lazy", socket -> socket.write(0));
        var report = sweep(world -> {
            try (var scope = Scope.open("request")) {
                scope.acquire(type, () -> world.socket("peer"));
            }
        });

        assertFailure(report, 1, 2, "'socket peer' is still open after its release has ended as RELEASED");
        assertFailure(report, 3, 1, "'socket peer' had no owner between");
    }

    @Test
    void o2_returnedTwice() {
        var report = sweep(world -> {
            var connection = world.pool("pool", 1).lease();
            connection.close();
            connection.close();
        });

        assertFailure(report, 2, 2, "a connection of 'pool' was returned twice");
    }

    @Test
    void o2_endedByAnotherThanItsOwner() {
        var report = sweep(world -> {
            try (var scope = Scope.open("request")) {
                scope.acquire(Scenarios.SOCKET, () -> world.socket("peer"))
                        .get()
                        .close();
            }
        });

        assertFailure(report, 2, 2, "'socket peer' was ended by 'close' although handle 'socket' owns it");
    }

    @Test
    void o4_usedAfterItsEnd() {
        var report = sweep(world -> {
            var socket = world.socket("peer");
            socket.close();
            try {
                socket.write(1);
            } catch (java.io.IOException failure) {
                world.handled(failure);
            }
        });

        assertFailure(report, 4, 2, "socket peer: write after its close");
    }

    @Test
    void o6_closeThatCanBeInterrupted() {
        var report = Sweep.of("scenario", world -> {
                    AutoCloseable slow = () -> world.pause(Duration.ofSeconds(1));
                    try (var scope = Scope.open("request")) {
                        var task = scope.fork("export", () -> {
                            try (var tracked = world.track(slow, "export")) {
                                return tracked.get().hashCode();
                            }
                        });
                        task.join();
                    }
                })
                .run();

        assertFailure(report, 6, 7, "the close of 'export' was cut short by an interrupt");
    }

    @Test
    void o7_publishedEarly() {
        var report = sweep(world -> {
            try (var file = world.files().create("photo")) {
                try (var sql = world.database().begin()) {
                    sql.refer("photos/1", "photo");
                    sql.commit();
                }
                file.write(10);
            }
        });

        assertFailure(report, 7, 8, "file 'photo' was published before it was complete");
    }

    @Test
    void o7_referredToAndGone() {
        var report = sweep(world -> {
            var files = world.files();
            files.create("photo").close();
            try (var sql = world.database().begin()) {
                sql.refer("photos/1", "photo");
                sql.commit();
            }
            files.delete("photo");
        });

        assertFailure(report, 7, 8, "row 'photos/1' refers to file 'photo', which is gone");
    }

    @Test
    @SuppressWarnings({"MustBeClosedChecker", "try"}) // that is the mistake
    void o8_scopeLeftOpen() {
        var report = sweep(world -> Scope.open("forgotten"));

        assertFailure(report, 8, 2, "scope 'forgotten' was never closed");
    }

    @Test
    void o8_timerLeft() {
        var report = sweep(world -> world.clock().at(world.clock().deadline(Duration.ofSeconds(1)), () -> {}));

        assertFailure(report, 8, 2, "a timer is still armed at the end");
    }

    @Test
    void o9_lostFailure() {
        var report = sweep(world -> {
            var socket = world.socket("peer");
            try {
                socket.write(1);
            } catch (RuntimeException | Error | java.io.IOException _) {
                world.clock();
            } finally {
                socket.close();
            }
        });

        assertThat(report.failures()).anySatisfy(failure -> {
            assertThat(failure.oracle()).isEqualTo(9);
            assertThat(failure.message()).contains("was lost: the scenario returned as if nothing had happened");
        });
    }

    @Test
    void o11_deadlock_namesWhatEachHoldsAndWants() {
        var report = Sweep.of("scenario", world -> {
                    var left = Permits.fair("left", 1, 1);
                    var right = Permits.fair("right", 1, 1);
                    try (var scope = Scope.open("request")) {
                        var one = scope.fork("one", () -> both(left, right));
                        var two = scope.fork("two", () -> both(right, left));
                        one.join();
                        two.join();
                    }
                })
                .schedules(30)
                .run();

        assertThat(report.failures()).anySatisfy(failure -> {
            assertThat(failure.oracle()).isEqualTo(11);
            assertThat(failure.message())
                    .contains("deadlock", "one waits for", "handle 'permit of left'", "two waits for");
        });
    }

    @Test
    void o11_waitThatOutlivesItsDeadline() {
        var report = sweep(world -> {
            var end = world.clock().deadline(Duration.ofSeconds(1));
            boolean controlled = true;
            while (controlled) {
                controlled = world.await("what never comes", () -> false, end);
            }
        });

        assertFailure(report, 11, 7, "main waits for what never comes although the end of that wait has passed");
    }

    private static int both(Permits first, Permits second) {
        try (var one = first.acquire(Scope.current(), Deadline.none());
                var two = second.acquire(Scope.current(), Deadline.none())) {
            return one.hashCode() + two.hashCode();
        }
    }

    @Test
    void o12_leak_namesTheGap() {
        var report = sweep(world -> {
            var socket = world.socket("peer");
            socket.write(1);
            socket.close();
        });

        assertFailure(report, 12, 1, "'socket peer' had no owner after connect/socket peer:after and is still open");
    }

    @Test
    void o12_resultThatNobodyTook_isALostSuccess() {
        var report = Sweep.of("scenario", world -> {
                    try (var scope = Scope.open("request")) {
                        var opening = scope.fork("opener", () -> world.socket("peer"));
                        opening.get().close();
                    }
                })
                .schedules(40)
                .run();

        assertThat(report.failures()).anySatisfy(failure -> {
            assertThat(failure.law()).isEqualTo(6);
            assertThat(failure.message()).isEqualTo("'socket peer' was produced by task 'opener', and nobody took it");
            assertThat(failure.token()).contains(":CANCEL");
        });
    }

    @Test
    void afterwards_runsInTheRun_whateverTheScenarioDid() {
        sweep(world -> {
                    var socket = world.socket("peer");
                    world.afterwards(socket::close);
                    socket.write(1);
                })
                .assertClean();
    }

    @Test
    void confined_handlesAreNotReleasedByOthers() {
        Scenario scenario = world -> {
            try (var scope = Scope.open("request")) {
                scope.acquire(Scenarios.SOCKET, () -> world.socket("peer")).get();
            }
        };

        assertThat(Sweep.of("all", scenario).faults(Fault.FOREIGN_RELEASE).run().faults())
                .isEqualTo(1);
        assertThat(Sweep.of("none", scenario)
                        .faults(Fault.FOREIGN_RELEASE)
                        .confined("socket")
                        .run()
                        .faults())
                .isZero();
    }

    @Test
    void o13_poisonedPool() {
        var report = Sweep.of("scenario", world -> {
                    var dirty = world.part("dirty", _ -> new boolean[1]);
                    if (dirty[0]) {
                        throw new IllegalStateException("a transaction is open already");
                    }
                    try (var connection = world.pool("pool", 1).lease()) {
                        dirty[0] = true;
                        connection.execute("insert");
                        dirty[0] = false;
                    }
                })
                .run();

        assertThat(report.failures()).anySatisfy(failure -> {
            assertThat(failure.oracle()).isEqualTo(13);
            assertThat(failure.message())
                    .contains("a clean run on the same fakes fails", "a transaction is open already");
        });
    }

    @Test
    void clock_movesOnlyWhenAllWait_toTheNextInstant() {
        var report = sweep(
                world -> {
                    try (var scope = Scope.open("request")) {
                        var slow = scope.fork("slow", () -> {
                            world.pause(Duration.ofHours(2));
                            return world.clock().now();
                        });
                        var quick = scope.fork("quick", () -> {
                            world.pause(Duration.ofHours(1));
                            return world.clock().now();
                        });
                        var between = Duration.between(quick.get(), slow.get());
                        assertThat(between).isEqualTo(Duration.ofHours(1));
                    }
                },
                Fault.HANG);

        report.assertClean();
    }

    @Test
    void fault_thatDivergesTheTrace_isAnError() {
        var calls = new int[1];
        var report = sweep(world -> {
            if (++calls[0] % 2 == 0) {
                world.socket("peer").close();
            }
        });

        assertThat(report.failures())
                .anySatisfy(failure -> assertThat(failure.message()).contains("differ"));
    }

    @Test
    void foreignWait_isNamedByTheWatchdog() {
        var never = new CountDownLatch(1);
        var sweep = Sweep.of("scenario", world -> {
                    world.socket("peer").close();
                    never.await();
                })
                .stall(Duration.ofMillis(300));

        assertThatThrownBy(sweep::run)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not come from end/socket peer:after to its next point")
                .hasMessageContaining("with no fault")
                .hasMessageContaining("CountDownLatch");
    }

    private static SweepReport sweep(Scenario scenario) {
        return Sweep.of("scenario", scenario).run();
    }

    private static SweepReport sweep(Scenario scenario, Fault only) {
        return Sweep.of("scenario", scenario).faults(only).run();
    }

    private static void assertFailure(SweepReport report, int oracle, int law, String message) {
        assertThat(report.failures()).anySatisfy(failure -> {
            assertThat(failure.oracle()).isEqualTo(oracle);
            assertThat(failure.law()).isEqualTo(law);
            assertThat(failure.message()).startsWith(message);
            assertThat(failure.advice()).isNotBlank();
            assertThat(failure.token()).startsWith("own1:scenario:fifo:");
        });
    }
}
